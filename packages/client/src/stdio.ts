/** Runs servers as child processes. For Node and Bun. */

export type { ExitStatus } from './process/server-process.ts'
export { safeEnv } from './process/safe-env.ts'
export { windowsSpawnPlan, type WindowsSpawnPlan } from './process/windows-spawn-plan.ts'
export {
  type StdioStopOptions,
  StdioTransport,
  type StdioTransportConfig,
} from './transports/stdio/stdio-transport.ts'
export type { StdioDiagnostics } from './transports/stdio/stdio-diagnostics.ts'
