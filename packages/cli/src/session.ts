import { type Bridge, openBridge, type ServerSpec } from '@toolbridge/bridge'
import { terminalAnswerer } from '@toolbridge/bridge/terminal'
import { isInteractive, printable, printError, type Terminal } from './terminal.ts'
import { whileWaiting } from './waiting.ts'

/**
 * A bridge for the person at this terminal: their environment, their keyboard for questions. The caller closes it.
 * Whoever types a call has agreed to it, so nothing is asked twice; without a keyboard a server's question is declined.
 */
export async function openTerminalBridge(
  terminal: Terminal,
  servers: readonly ServerSpec[],
): Promise<Bridge> {
  const opening = openBridge({
    servers,
    authority: { kind: 'local', env: terminal.env, workspaceFolder: terminal.cwd },
    permissions: { mode: 'allow' },
    origin: { principal: 'local', conversation: 'terminal' },
    journal: (event) => {
      if (event.type === 'diagnostic') printError(terminal, `toolbridge: ${printable(event.message)}`)
    },
    ...(isInteractive(terminal) ? { answerer: terminalAnswerer({ output: terminal.stderr }) } : {}),
  })
  return whileWaiting(terminal, `starting ${servers.map((server) => server.name).join(', ')}`, opening)
}
