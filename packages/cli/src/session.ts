import {
  type Answerer,
  type Authority,
  type Bridge,
  type BridgeOptions,
  inputAnswers,
  memoryCredentialStore,
  type Origin,
  openBridge,
  type ServerSpec,
} from '@toolbridge/bridge'
import { terminalAnswerer } from '@toolbridge/bridge/terminal'
import { isInteractive, printable, printError, type Terminal } from './terminal.ts'
import { askForTrust, ownFolder, trustStoreOf } from './trust.ts'
import { whileWaiting } from './waiting.ts'

const origin: Origin = { principal: 'local', conversation: 'terminal' }

/** The person at this terminal may use its environment and its folder. */
export function terminalAuthority({ env, cwd }: Terminal): Authority {
  return { kind: 'local', env, workspaceFolder: cwd }
}

/**
 * A bridge for the person at this terminal: their environment, their keyboard for questions. The caller closes it.
 * Whoever types a call has agreed to it, so nothing is asked twice; without a keyboard a server's question is declined.
 * Diagnostics go to stderr, but for the codes that the caller reports by itself. An interruption stops what was started.
 * What a project wants to start is shown to the person first.
 */
export async function openTerminalBridge(
  terminal: Terminal,
  servers: readonly ServerSpec[],
  reported: ReadonlySet<string> = new Set(),
): Promise<Bridge> {
  const trust = trustStoreOf(terminal)
  await askForTrust(terminal, servers, trust)
  const opening = openBridge({
    servers,
    trust,
    signal: terminal.signal,
    authority: terminalAuthority(terminal),
    permissions: { mode: 'allow', controlFiles: [`${ownFolder(terminal)}/*`] },
    origin,
    journal: (event) => {
      if (event.type === 'diagnostic' && !reported.has(event.code))
        printError(terminal, `toolbridge: ${printable(event.message)}`)
    },
    ...(isInteractive(terminal) ? person(terminal) : {}),
  })
  return whileWaiting(terminal, `starting ${servers.map((server) => server.name).join(', ')}`, opening)
}

/** Questions and the inputs of definitions go to the keyboard; inputs are asked for once a run. */
function person(terminal: Terminal): Pick<BridgeOptions, 'answerer' | 'inputs'> {
  const answerer = answererAt(terminal)
  return { answerer, inputs: inputAnswers({ origin, answerer, store: memoryCredentialStore() }) }
}

function answererAt(terminal: Terminal): Answerer {
  return terminalAnswerer({ output: terminal.stderr, onInterrupt: () => terminal.interrupt() })
}
