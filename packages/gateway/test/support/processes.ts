import { readdir, readFile } from 'node:fs/promises'

/** The command lines of the fixture servers that this process started, in no particular order. */
export async function childProcesses(): Promise<readonly string[]> {
  return (await commandLines()).filter((line) => line.includes('testkit/dist/servers'))
}

/** The ids and command lines of all programs that this process started, and of those that they started. */
export async function commandLines(): Promise<readonly string[]> {
  const processes = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(describe),
  )
  const known = processes.filter((found) => found !== undefined)
  const own = new Set([process.pid])
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { pid, parent } of known) if (own.has(parent)) own.add(pid)
  }
  return known
    .filter(({ pid }) => pid !== process.pid && own.has(pid))
    .map(({ pid, command }) => `${pid} ${command}`)
}

async function describe(
  pid: string,
): Promise<{ readonly pid: number; readonly parent: number; readonly command: string } | undefined> {
  try {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    return {
      pid: Number(pid),
      parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
      command: command.replaceAll('\0', ' ').trim(),
    }
  } catch {
    return undefined
  }
}
