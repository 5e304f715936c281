import { join } from 'node:path'
import {
  type Answerer,
  type Authority,
  type Bridge,
  type BridgeOptions,
  type Origin,
  openBridge,
  type ServerSpec,
} from '@toolbridge/bridge'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { fileGrantStore, type GrantStore } from '@toolbridge/bridge/permissions'
import { inputAnswers, memoryCredentialStore } from '@toolbridge/bridge/questions'
import { printable } from './printable.ts'
import { isInteractive, printError, type Terminal } from './terminal.ts'
import { askForTrust, ownFolder, trustAsWritten, trustStoreOf } from './trust.ts'
import { whileWaiting } from './while-waiting.ts'

/** The person at this machine, here and in a gateway. */
export const localPrincipal = 'local'

const origin: Origin = { principal: localPrincipal, conversation: 'terminal' }

/** The person at this terminal may use its environment and its folder. */
export function terminalAuthority({ env, cwd }: Terminal): Authority {
  return { kind: 'local', env, workspaceFolder: cwd }
}

export interface TerminalBridgeOptions {
  /** Codes of diagnostics that the caller reports by itself. */
  readonly reported?: ReadonlySet<string>
  /** The person's accounts: those that are kept unless told. */
  readonly credentials?: CredentialsOf
  /** Whether somebody else says what is waited for. */
  readonly isSilent?: boolean
  /** How the command starts a server, where that is another way than its entry says. */
  readonly startAs?: (spec: ServerSpec) => ServerSpec
}

/**
 * A bridge for the person at this terminal: their environment, their keyboard for questions. The caller closes it.
 * Whoever types a call has agreed to it, so nothing is asked twice; without a keyboard a server's question is declined.
 * Diagnostics go to stderr. An interruption stops what was started. What a project wants to start is shown to the
 * person first. A command needs its servers at once, so none waits to be needed.
 */
export async function openTerminalBridge(
  terminal: Terminal,
  servers: readonly ServerSpec[],
  { reported, credentials, isSilent = false, startAs = (spec) => spec }: TerminalBridgeOptions = {},
): Promise<Bridge> {
  const trust = trustStoreOf(terminal)
  await askForTrust(terminal, servers, trust)
  const accounts = credentials ?? (await accountsFor(terminal, servers))
  const started = servers.map((spec) => startAs(atOnce(spec)))
  let hasAsked = false
  const opening = openBridge({
    servers: started,
    trust: trustAsWritten(trust, servers, started),
    signal: terminal.signal,
    authority: terminalAuthority(terminal),
    permissions: { mode: 'allow', controlFiles: [`${ownFolder(terminal)}/*`] },
    grants: terminalGrantsOf(terminal),
    origin,
    journal: (event) => {
      if (event.type === 'diagnostic' && reported?.has(event.code) !== true)
        printError(terminal, `toolbridge: ${printable(event.message)}`)
    },
    ...(accounts === undefined ? {} : { credentials: accounts }),
    ...(isInteractive(terminal) ? person(terminal, () => (hasAsked = true)) : {}),
  })
  if (isSilent) return opening
  const what = `starting ${servers.map((server) => server.name).join(', ')}`
  return whileWaiting(terminal, what, opening, () => hasAsked)
}

/** What a person allowed from now on. Not that of a gateway: who types a call allows it to themselves, not to hosts. */
export function terminalGrantsOf(terminal: Terminal): GrantStore {
  return fileGrantStore(join(ownFolder(terminal), 'terminal-grants'))
}

/** Starts with the rest, though its entry says that it waits to be needed. */
export function atOnce(spec: ServerSpec): ServerSpec {
  return spec.start === 'lazy' ? { ...spec, start: 'eager' } : spec
}

/** Loaded only where a server may want it: most are started here. */
async function accountsFor(
  terminal: Terminal,
  servers: readonly ServerSpec[],
): Promise<CredentialsOf | undefined> {
  if (servers.every(({ transport }) => transport === 'stdio')) return undefined
  const { keptAccounts } = await import('./accounts.ts')
  return keptAccounts(terminal).of
}

/** Questions and the inputs of definitions go to the keyboard. An input is asked for once per run. */
function person(terminal: Terminal, onAsk: () => void): Pick<BridgeOptions, 'answerer' | 'inputs'> {
  let keyboard: Promise<Answerer> | undefined
  const answerer: Answerer = {
    async ask(question, options) {
      onAsk()
      // One for all questions: it asks them one at a time.
      keyboard ??= loadKeyboard(terminal)
      return (await keyboard).ask(question, options)
    },
  }
  return { answerer, inputs: inputAnswers({ origin, answerer, store: memoryCredentialStore() }) }
}

/** Imported for the first question: most commands ask none. */
async function loadKeyboard(terminal: Terminal): Promise<Answerer> {
  const { terminalAnswerer } = await import('@toolbridge/bridge/terminal')
  return terminalAnswerer({ output: terminal.stderr, onInterrupt: () => terminal.interrupt() })
}
