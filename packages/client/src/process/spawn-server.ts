import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { posixSupervisor } from './posix-supervisor.ts'
import { overlayWindowsEnv, safeEnv } from './safe-env.ts'
import { type ServerSupervisor, type PipedChild, ServerProcess } from './server-process.ts'
import { windowsSpawnPlan } from './windows-spawn-plan.ts'
import { windowsTree } from './windows-tree.ts'

export interface SpawnConfig {
  readonly command: string
  readonly args?: readonly string[]
  /** Set for the server on top of what it inherits. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** `safe`, the default: the few variables a program needs to run at all. `none`: nothing but `env`. */
  readonly inheritEnv?: 'safe' | 'none'
}

/**
 * Starts a program without a shell, to end with this process at the latest. Rejects when it could not be started; then
 * there is nothing to stop. `onUnguarded` hears why it may outlive this process, where that cannot be prevented.
 */
export async function spawnServer(
  config: SpawnConfig,
  onUnguarded: (reason: string) => void,
): Promise<ServerProcess> {
  try {
    // First of all, since this is what says that a browser starts no programs.
    const { spawn } = nodeBuiltin('node:child_process')
    const server =
      process.platform === 'win32' ? onWindows(spawn, config) : onPosix(spawn, config, onUnguarded)
    // One that was started has an id at once.
    if (server.child.pid === undefined) await failedStart(server.child)
    return server
  } catch (error) {
    throw error instanceof McpError ? error : startError(config, error)
  }
}

type Spawn = typeof import('node:child_process').spawn

function onPosix(spawn: Spawn, config: SpawnConfig, onUnguarded: (reason: string) => void): ServerProcess {
  const { command, args = [], cwd, env } = config
  const host = posixSupervisor()
  const number = host.nextServerNumber()
  const child = spawn(command, [...args], {
    cwd,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...inheritedBy(config), ...env, ...host.tagVariable(number) },
    // A group of its own, so that the server and all it starts can be ended together.
    detached: true,
  })
  // At once: nothing may happen between the start and the watch over it.
  host.watch(child, onUnguarded)
  return new ServerProcess(child, host, number)
}

function onWindows(spawn: Spawn, config: SpawnConfig): ServerProcess {
  const { existsSync } = nodeBuiltin('node:fs')
  const env = overlayWindowsEnv(inheritedBy(config), config.env ?? {})
  const plan = windowsSpawnPlan(config.command, config.args ?? [], env, existsSync)
  const { file, args, windowsVerbatimArguments } = plan
  const child = spawn(file, [...args], {
    cwd: config.cwd,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
    windowsHide: true,
    windowsVerbatimArguments,
  })
  return new ServerProcess(child, windowsSupervisor, 0)
}

const windowsSupervisor: ServerSupervisor = { tree: windowsTree, release: ignore }

function inheritedBy({ inheritEnv }: SpawnConfig): Readonly<Record<string, string>> {
  return inheritEnv === 'none' ? {} : safeEnv(process.env, process.platform)
}

/** Rejects with the reason of a start that failed. */
function failedStart(child: PipedChild): Promise<never> {
  return new Promise((_resolve, reject) => child.once('error', reject))
}

function ignore(): void {}

/** Names the program, never its arguments or environment; the system's own error carries them, so it is no cause. */
function startError({ command, cwd }: SpawnConfig, error: unknown): McpError {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  const cwdIsMissing = errno === 'ENOENT' && cwd !== undefined && !nodeBuiltin('node:fs').existsSync(cwd)
  const isLine = errno === 'ENOENT' && !cwdIsMissing && COMMAND_LINE.test(command)
  const name = isLine ? command.replace(/\s.*/s, ' …') : command
  const reason = isLine ? NOT_ALONE : (WHY[errno] ?? errno)
  const why = cwdIsMissing ? `its working directory ${cwd} does not exist` : reason
  return new McpError(`cannot start ${JSON.stringify(name)}: ${why}`, {
    kind: 'unreachable',
    code: McpErrorCode.ConnectionClosed,
    data: { exitCode: null, signal: null, stderr: [], errno },
  })
}

/** A program with what belongs into its arguments, and no path with a space in it. */
const COMMAND_LINE = /^[^\s/\\]+\s|\s-/
const NOT_ALONE = 'the command is the program alone; put what follows it into the arguments'

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program; check the spelling and the PATH',
  EACCES: 'it may not be executed; check its permissions',
  E2BIG: 'its arguments and environment are too long',
}
