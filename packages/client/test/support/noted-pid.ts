import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that writes its process id to a file before it does anything else. */
export interface NotedProgram extends Disposable {
  readonly command: string
  readonly args: readonly string[]
  /** The id of the process; undefined until it has started. */
  readonly pid: () => number | undefined
}

/** Has Node run a script whose process can be looked for. */
export function notedProgram(script: string): NotedProgram {
  const folder = mkdtempSync(join(tmpdir(), 'noted-'))
  const file = join(folder, 'pid')
  const noting = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`
  return {
    command: process.execPath,
    args: ['-e', noting + script],
    pid: () => pidIn(file),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}
