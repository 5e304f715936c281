/** Processes that run command lines of the official suite. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ClientProcess } from './client-process.mjs'

/**
 * @typedef {{ code: number | null, timedOut: boolean, stdout: string, output: string }} Exit
 */

const host = fileURLToPath(new URL('host.mjs', import.meta.url))
// Timeouts only end hangs: a busy machine must not affect a verdict.
const timeoutMs = 90_000

/** Runs command lines in a process that is started when needed. A scenario never runs twice in the same process. */
export class Runner {
  #suite
  #seen = /** @type {Set<string>} */ (new Set())
  #host = /** @type {import('node:child_process').ChildProcess | undefined} */ (undefined)
  #client = /** @type {ClientProcess | undefined} */ (undefined)

  /** @param {string} suite The path of the bundled suite. */
  constructor(suite) {
    this.#suite = suite
  }

  /**
   * @param {string[]} args
   * @param {string} [scenario] Omitted for lists, which can be printed any number of times.
   * @returns {Promise<Exit>}
   */
  async run(args, scenario) {
    if (scenario !== undefined && this.#seen.has(scenario)) this.#endHost()
    if (scenario !== undefined) this.#seen.add(scenario)
    const exit = await this.#send(args)
    if (exit.code !== 0) this.close()
    return exit
  }

  /** The command line that runs a scenario with the client. A scenario that fails ends the client's process. */
  get clientCommand() {
    return (this.#client ??= ClientProcess.start()).command
  }

  /** Throws if something of the scenarios keeps the client's process running. */
  async endClient() {
    const client = this.#client
    this.#client = undefined
    await client?.end(timeoutMs)
  }

  /** Ends the processes and all that they started. */
  close() {
    this.#endHost()
    this.#client?.kill()
    this.#client = undefined
  }

  #endHost() {
    if (this.#host?.pid !== undefined) endGroup(this.#host.pid)
    this.#host = undefined
    this.#seen.clear()
  }

  /**
   * @param {string[]} args
   * @returns {Promise<Exit>}
   */
  async #send(args) {
    const child = (this.#host ??= await startHost(this.#suite))
    child.send(args)
    const settled = new AbortController()
    const { signal } = settled
    const timer = setTimeout(() => settled.abort(), timeoutMs)
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([reply]) => ({ ...reply, timedOut: false })),
        once(child, 'exit', { signal }).then(() => failed(false)),
      ])
    } catch {
      return failed(true)
    } finally {
      clearTimeout(timer)
      settled.abort()
    }
  }
}

/**
 * @param {boolean} timedOut
 * @returns {Exit}
 */
function failed(timedOut) {
  return { code: null, timedOut, stdout: '', output: '' }
}

/** @param {string} suite */
async function startHost(suite) {
  // A separate process group, so that no process outlives it.
  const child = fork(host, [suite], { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const started = new AbortController()
  const { signal } = started
  await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the suite ended with ${code} while it was loaded`)
    }),
  ]).finally(() => started.abort())
  return child
}

/** @param {number} pid */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
