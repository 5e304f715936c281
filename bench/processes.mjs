/** The processes of the benchmark. Each is in a separate process group and ends with its use or with the benchmark. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const running = /** @type {Set<number>} */ (new Set())
process.once('exit', () => running.forEach(endGroup))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/**
 * The core that clients and servers are pinned to, or undefined if pinning is not supported.
 *
 * @returns {number | undefined}
 */
export function pinnableCore() {
  const { stdout } = spawnSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' })
  const last = (stdout ?? '').trimEnd().split(/\D/).at(-1)
  return last === undefined || last === '' ? undefined : Number(last)
}

/**
 * Starts Node, pinned to `core` if given. The process leads a group that `endGroup` ends.
 *
 * @param {readonly string[]} args
 * @param {number | undefined} core
 */
export function startNode(args, core) {
  const command = [process.execPath, ...args]
  const pinned = core === undefined ? command : ['taskset', '-c', String(core), ...command]
  const [program = '', ...rest] = pinned
  const child = spawn(program, rest, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid !== undefined) running.add(pid)
  return child
}

/**
 * Runs Node until it exits and resolves with its stdout. Rejects with its stderr.
 *
 * @param {readonly string[]} args
 * @param {{ core: number | undefined, timeoutMs: number }} limits
 * @returns {Promise<string>}
 */
export function runNode(args, { core, timeoutMs }) {
  const child = startNode(args, core)
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      errors += `no result after ${timeoutMs} ms`
      endGroup(child.pid)
    }, timeoutMs)
    child.on('error', reject)
    child.on('exit', () => endGroup(child.pid))
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(errors.trim() || `ended with code ${code}`))
    })
  })
}

/**
 * Starts Node with a program that prints a line when it is ready and a line of JSON for each line that it reads, and that
 * exits at the end of its input.
 *
 * @param {readonly string[]} args
 * @param {{ core: number | undefined, timeoutMs: number }} limits
 */
export async function startWorker(args, { core, timeoutMs }) {
  const child = startNode(args, core)
  const lines = createInterface({ input: child.stdout })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(errors.trim() || `ended with code ${code}`)
  })
  // Reported to those who wait for a line; until then, neither this nor a write to an ended process is an error.
  ended.catch(() => {})
  child.stdin.on('error', () => {})
  const within = async (/** @type {Promise<any[]>} */ event) => {
    const timer = setTimeout(() => {
      errors += `no result after ${timeoutMs} ms`
      endGroup(child.pid)
    }, timeoutMs)
    return Promise.race([event, ended]).finally(() => clearTimeout(timer))
  }
  await within(once(lines, 'line'))
  return {
    async ask(/** @type {string} */ question) {
      child.stdin.write(`${question}\n`)
      const [line] = await within(once(lines, 'line'))
      return JSON.parse(line)
    },
    async close() {
      child.stdin.end()
      await within(once(child, 'close')).catch(() => {})
      endGroup(child.pid)
    },
  }
}

/**
 * Ends all processes of a group.
 *
 * @param {number | undefined} pid
 */
export function endGroup(pid) {
  if (pid === undefined || !running.delete(pid)) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
