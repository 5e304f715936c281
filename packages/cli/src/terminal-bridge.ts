import { join } from 'node:path'
import {
  type Answerer,
  type Authority,
  type Bridge,
  type BridgeOptions,
  type Origin,
  openBridge,
  type PermissionRules,
  type SamplingOptions,
  type ServerSpec,
} from '@toolbridge/bridge'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { fileGrantStore, type GrantStore } from '@toolbridge/bridge/permissions'
import { inputAnswers, memoryCredentialStore } from '@toolbridge/bridge/questions'
import { printable } from '@toolbridge/client/internal'
import { type MessageOptions, messageHandler } from './messages.ts'
import { reusedServers } from './reused-servers.ts'
import { StartedDefinitions } from './started-definitions.ts'
import { isInteractive, printError, type Terminal } from './terminal.ts'
import { askForTrust, ownFolder, trustAsWritten, trustStoreOf } from './trust.ts'
import { whileWaiting } from './while-waiting.ts'

/** Principal of the user of this machine, here and in a gateway. */
export const localPrincipal = 'local'

const origin: Origin = { principal: localPrincipal, conversation: 'terminal' }

/** The user at this terminal may use its environment and current folder. */
export function terminalAuthority({ env, cwd }: Terminal): Authority {
  return { kind: 'local', env, workspaceFolder: cwd }
}

export interface TerminalBridgeOptions {
  /** Accounts for sign-ins. Default: the stored accounts of this user. */
  readonly credentials?: CredentialsOf
  /** Whether to omit the notice about servers being started. Default: false. */
  readonly isSilent?: boolean
  /** Changes how a server is started. Default: as its definition says. */
  readonly startAs?: (spec: ServerSpec) => ServerSpec
  /** The definitions, for callers that change them later. Default: those of `startAs`. */
  readonly definitions?: StartedDefinitions
  /** The keyboard of the user, if the caller uses it too. Default: opened if there is one. */
  readonly keyboard?: Answerer | undefined
  /** Called before a diagnostic is printed. */
  readonly beforePrint?: () => void
  /** What `--trace` and `--record` ask for. Default: nothing. */
  readonly messages?: MessageOptions
  /** Permission rules. Default: everything is allowed. */
  readonly permissions?: PermissionRules
  /** Whether servers that this user's gateway runs are used instead of starting them. Default: false. */
  readonly mayReuse?: boolean
  /** Permanent approvals. Default: those of calls typed at a terminal. */
  readonly grants?: GrantStore
  /** Which servers may use a model. Default: none. */
  readonly sampling?: SamplingOptions | undefined
}

/**
 * Opens a bridge for the user at this terminal: their environment, and their keyboard for questions. The caller closes it.
 * Typing a call approves it: without rules nothing needs a further approval. Without a keyboard a server's question is declined.
 * Diagnostics go to stderr. An interruption stops the servers. Servers defined by a project are shown to the user and
 * started only with their consent. Lazy servers start at once, because the command needs them now.
 */
export async function openTerminalBridge(
  terminal: Terminal,
  servers: readonly ServerSpec[],
  options: TerminalBridgeOptions = {},
): Promise<Bridge> {
  const { credentials, messages = {}, startAs = (spec) => spec, mayReuse = false, sampling } = options
  const {
    keyboard = keyboardOf(terminal),
    permissions = { mode: 'allow' },
    definitions = new StartedDefinitions(trustStoreOf(terminal), startAs),
    isSilent = messages.isTraced === true,
  } = options
  const onMessage = await messageHandler(terminal, messages)
  const started = await definitions.add(terminal, servers)
  const accounts = credentials ?? (await accountsFor(terminal, servers))
  const authority = terminalAuthority(terminal)
  const reused = mayReuse
    ? await reusedServers(terminal, (name) => definitions.named(name), authority)
    : undefined
  let hasAsked = false
  const opening = openBridge({
    servers: started,
    trust: definitions.trust,
    signal: terminal.signal,
    authority,
    permissions,
    grants: options.grants ?? terminalGrantsOf(terminal),
    origin,
    journal: (event) => {
      if (event.type !== 'diagnostic') return
      options.beforePrint?.()
      printError(terminal, `toolbridge: ${printable(event.message)}`)
    },
    ...(accounts === undefined ? {} : { credentials: accounts }),
    ...(keyboard === undefined ? {} : person(keyboard, () => (hasAsked = true))),
    transportOf: (spec) => reused?.(spec) ?? terminal.transportOf?.(spec),
    ...(onMessage === undefined ? {} : { onMessage }),
    ...(sampling === undefined ? {} : { sampling }),
  })
  // Every command prints. Opening the output takes milliseconds, in which the servers start.
  setImmediate(() => terminal.stdout)
  if (isSilent) return opening
  const enabled = servers.filter((server) => server.enabled).map((server) => server.name)
  const what = `starting ${enabled.join(', ')}`
  return whileWaiting(terminal, what, opening, () => hasAsked)
}

/** Grants for calls typed at a terminal. Separate from others: they do not extend to hosts and models. */
export function terminalGrantsOf(terminal: Terminal): GrantStore {
  return fileGrantStore(join(ownFolder(terminal), 'terminal-grants'))
}

/** Grants for calls of models of `ask`, `agent` and `chat`. */
export function modelGrantsOf(terminal: Terminal): GrantStore {
  return fileGrantStore(join(ownFolder(terminal), 'model-grants'))
}

/** With what right a command reads definitions. `started` are the definitions as it starts them, in the same order. */
export type TerminalAccess = Required<Pick<BridgeOptions, 'authority' | 'signal' | 'trust'>> & {
  readonly principal: string
}

export function terminalAccess(
  terminal: Terminal,
  written: readonly ServerSpec[],
  started: readonly ServerSpec[],
): TerminalAccess {
  return {
    authority: terminalAuthority(terminal),
    principal: localPrincipal,
    signal: terminal.signal,
    trust: trustAsWritten(trustStoreOf(terminal), written, started),
  }
}

/**
 * What a command needs besides to start the servers itself, without a bridge: accounts, and a person who enters the inputs. Asks for
 * trust where it is missing. `onAsk` is called before each question.
 */
export async function startingAccess(
  terminal: Terminal,
  written: readonly ServerSpec[],
  started: readonly ServerSpec[],
  onAsk: () => void,
): Promise<TerminalAccess & Pick<BridgeOptions, 'credentials' | 'inputs' | 'transportOf'>> {
  await askForTrust(terminal, written, trustStoreOf(terminal))
  const credentials = await accountsFor(terminal, started)
  const keyboard = keyboardOf(terminal)
  const { inputs } = keyboard === undefined ? {} : person(keyboard, onAsk)
  return {
    ...terminalAccess(terminal, written, started),
    ...(credentials === undefined ? {} : { credentials }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(terminal.transportOf === undefined ? {} : { transportOf: terminal.transportOf }),
  }
}

/** Imported only for servers that can require a sign-in; most are local processes. */
async function accountsFor(
  terminal: Terminal,
  servers: readonly ServerSpec[],
): Promise<CredentialsOf | undefined> {
  if (servers.every(({ transport }) => transport === 'stdio')) return undefined
  const [{ keptAccounts }, { gatewayCredentials }] = await Promise.all([
    import('./accounts.ts'),
    import('./gateway-credentials.ts'),
  ])
  const [ofServers, ofGateways] = [
    keptAccounts(terminal, servers).of,
    await gatewayCredentials(terminal, servers),
  ]
  return (spec, principal) => ofGateways(spec, principal) ?? ofServers(spec, principal)
}

/** Questions and the inputs of definitions go to the keyboard. An input is asked for once per run. */
function person(keyboard: Answerer, onAsk: () => void): Pick<BridgeOptions, 'answerer' | 'inputs'> {
  const answerer: Answerer = {
    ask(question, options) {
      onAsk()
      return keyboard.ask(question, options)
    },
  }
  return { answerer, inputs: inputAnswers({ origin, answerer, store: memoryCredentialStore() }) }
}

/** The keyboard of an interactive terminal, which answers one question at a time. `onAsk` is called before each. */
export function keyboardOf(terminal: Terminal, onAsk: () => void = () => {}): Answerer | undefined {
  if (!isInteractive(terminal)) return undefined
  let loaded: Promise<Answerer> | undefined
  return {
    async ask(question, options) {
      onAsk()
      loaded ??= loadKeyboard(terminal)
      return (await loaded).ask(question, options)
    },
  }
}

/** Imported for the first question: most commands ask none. */
async function loadKeyboard(terminal: Terminal): Promise<Answerer> {
  const { terminalAnswerer } = await import('@toolbridge/bridge/terminal')
  return terminalAnswerer({ output: terminal.stderr, onInterrupt: () => terminal.interrupt() })
}
