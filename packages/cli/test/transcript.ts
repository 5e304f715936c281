import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { briefPgliteArguments, copyPgliteImage } from '@toolbridge/testkit/databases'

/** The built command: what a user runs. */
export const program: string = fileURLToPath(new URL('../dist/main.cjs', import.meta.url))

/** Arguments of Node that run the command. */
export const programArguments: readonly string[] = [...briefPgliteArguments, program]

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Text on the standard input. Default: none. */
  readonly input?: string
}

/** Runs the command without a terminal, as a script would, to its end. */
export async function toolbridge(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const child = spawn(process.execPath, [...programArguments, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(options.input ?? '')
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, stdout, stderr }
}

/** A folder of its own for one test; call `remove` when done. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'toolbridge-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Puts an empty database into a data folder: creating one takes three times as long as opening it. */
export async function prepareDatabase(dataFolder: string): Promise<void> {
  await copyPgliteImage(join(dataFolder, 'lockbox'))
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
