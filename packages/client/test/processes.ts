import { readdirSync, readFileSync } from 'node:fs'

/** Whether a process runs. One that ended and was not yet taken away by its parent can be signalled, but is gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || stateAndParent(pid).state !== 'Z'
}

/** The living processes whose environment holds the text. Only Linux shows it. */
export function processesMarked(mark: string): readonly number[] {
  return processesByMark([mark]).get(mark) ?? []
}

/** The same for several texts, with one look at the processes of the system. */
export function processesByMark(marks: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map(marks.map((mark): [string, number[]] => [mark, []]))
  for (const pid of allProcesses()) {
    const environment = read(`/proc/${pid}/environ`)
    for (const [mark, pids] of found) if (environment.includes(mark) && isRunning(pid)) pids.push(pid)
  }
  return found
}

/** The living processes that a process started itself. Only Linux shows them. */
export function childrenOf(pid: number): readonly number[] {
  return allProcesses().filter((each) => {
    const { state, parent } = stateAndParent(each)
    return parent === pid && state !== 'Z'
  })
}

/** The command line of a process. Only Linux shows it. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`)
}

function stateAndParent(pid: number): { state: string | undefined; parent: number } {
  const stat = read(`/proc/${pid}/stat`)
  const [state, parent] = stat === '' ? ['Z'] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}

function allProcesses(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
