import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { McpError, McpErrorCode } from '../jsonrpc.ts'
import { nodeBuiltin } from '../node-builtins.ts'
import { safeEnv } from './safe-env.ts'

export interface SpawnConfig {
  readonly command: string
  readonly args?: readonly string[]
  /** Set for the server on top of what it inherits. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** `safe`, the default: the few variables a program needs to run at all. `none`: nothing but `env`. */
  readonly inheritEnv?: 'safe' | 'none'
}

/** How a process ended: one of the two is null. */
export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** A started process, the leader of a group of its own on POSIX. */
export interface ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exited: Promise<ExitStatus>
}

/** Starts a program without a shell. Rejects when it could not be started; then there is nothing to stop. */
export async function spawnServer(config: SpawnConfig): Promise<ServerProcess> {
  try {
    const child = startChild(config)
    const exited = new Promise<ExitStatus>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    })
    const pid = await spawned(child)
    const { stdin, stdout, stderr } = child
    return { pid, stdin, stdout, stderr, exited }
  } catch (error) {
    throw error instanceof McpError ? error : startError(config, error)
  }
}

function startChild(config: SpawnConfig): ChildProcessByStdio<Writable, Readable, Readable> {
  const { spawn } = nodeBuiltin('node:child_process')
  const { command, args = [], env, cwd, inheritEnv } = config
  const inherited = inheritEnv === 'none' ? {} : safeEnv(process.env, process.platform)
  return spawn(command, [...args], {
    env: { ...inherited, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    // A group of its own, so that the server and all it starts can be ended together.
    detached: process.platform !== 'win32',
  })
}

function spawned(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0))
    // Stays attached: later errors (a signal that could not be sent) have no other taker.
    child.on('error', reject)
  })
}

/** Names the program, never its arguments or environment; the system's own error carries them, so it is no cause. */
function startError({ command, cwd }: SpawnConfig, error: unknown): McpError {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  const cwdIsMissing = errno === 'ENOENT' && cwd !== undefined && !nodeBuiltin('node:fs').existsSync(cwd)
  const why = cwdIsMissing ? `its working directory ${cwd} does not exist` : (WHY[errno] ?? errno)
  return new McpError(`cannot start ${JSON.stringify(command)}: ${why}`, {
    kind: 'unreachable',
    code: McpErrorCode.ConnectionClosed,
    data: { exitCode: null, signal: null, stderr: [], errno },
  })
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program; check the spelling and the PATH',
  EACCES: 'it may not be executed; check its permissions',
  E2BIG: 'its arguments and environment are too long',
}
