import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { posixSupervisor } from './posix-supervisor.ts'
import { overlayWindowsEnv, safeEnv } from './safe-env.ts'
import { type ServerSupervisor, type PipedChild, ServerProcess } from './server-process.ts'
import { windowsSpawnPlan } from './windows-spawn-plan.ts'
import { windowsTree } from './windows-tree.ts'

/** How to start a server program. */
export interface SpawnConfig {
  /** Name of the server, by which `toolbridge ps` lists its process. Default: none. */
  readonly name?: string
  /** The program, as a path or as a name to search in PATH. */
  readonly command: string
  /** Arguments of the program. Default: none. */
  readonly args?: readonly string[]
  /** Environment variables in addition to the inherited ones. Default: none. */
  readonly env?: Readonly<Record<string, string>>
  /** Working directory. Default: that of this process. */
  readonly cwd?: string
  /** Inherited variables: `safe` for those that a program needs to run, `none` for only `env`. Default: `safe`. */
  readonly inheritEnv?: 'safe' | 'none'
}

/**
 * Starts a program without a shell; it ends with this process at the latest. Rejects if it could not be started; then
 * there is nothing to stop. `onUnguarded` receives the reason if it may keep running after this process.
 */
export async function spawnServer(
  config: SpawnConfig,
  onUnguarded: (reason: string) => void,
): Promise<ServerProcess> {
  try {
    // First, because this throws the error for browsers, which cannot start programs.
    const { spawn } = nodeBuiltin('node:child_process')
    const server =
      process.platform === 'win32' ? onWindows(spawn, config) : onPosix(spawn, config, onUnguarded)
    // A started process has an id at once.
    if (server.child.pid === undefined) await failedStart(server.child)
    return server
  } catch (error) {
    throw error instanceof McpError ? error : startError(config, error)
  }
}

type Spawn = typeof import('node:child_process').spawn

function onPosix(spawn: Spawn, config: SpawnConfig, onUnguarded: (reason: string) => void): ServerProcess {
  const { name, command, args = [], cwd, env } = config
  const supervisor = posixSupervisor()
  const number = supervisor.nextServerNumber()
  const child = spawn(command, [...args], {
    cwd,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...inheritedBy(config), ...env, ...supervisor.tagVariable(number, name) },
    // A new group, so that the server and all its children can be stopped together.
    detached: true,
  })
  // At once: a server that is not watched yet would outlive this process.
  supervisor.watch(child, onUnguarded)
  return new ServerProcess(child, supervisor, number)
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

/** Rejects with the reason of a failed start. */
function failedStart(child: PipedChild): Promise<never> {
  return new Promise((_resolve, reject) => child.once('error', reject))
}

function ignore(): void {}

/** Names the program, not its arguments or environment. The system error contains them, so it is not the cause. */
function startError({ command, cwd }: SpawnConfig, error: unknown): McpError {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  const cwdIsMissing = errno === 'ENOENT' && cwd !== undefined && !nodeBuiltin('node:fs').existsSync(cwd)
  const isLine = errno === 'ENOENT' && !cwdIsMissing && COMMAND_LINE.test(command)
  const name = isLine ? command.replace(/\s.*/s, ' …') : command
  const reason = isLine ? IS_COMMAND_LINE : (REASONS[errno] ?? errno)
  const why = cwdIsMissing ? `its working directory ${cwd} does not exist` : reason
  return new McpError(`cannot start ${JSON.stringify(name)}: ${why}`, {
    kind: 'unreachable',
    code: McpErrorCode.ConnectionClosed,
    data: { exitCode: null, signal: null, stderr: [], errno },
  })
}

/** Matches a program with arguments, but not a path that contains a space. */
const COMMAND_LINE = /^[^\s/\\]+\s|\s-/
const IS_COMMAND_LINE = 'the command is the program alone; put what follows it into the arguments'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program; check the spelling and the PATH',
  EACCES: 'it may not be executed; check its permissions',
  E2BIG: 'its arguments and environment are too long',
}
