import type { ServerSpec } from '@toolbridge/bridge'
import type { TrustStore } from '@toolbridge/bridge/config'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import type { Options } from './command.ts'
import { type LoadedConfiguration, loadConfiguration, printIssues } from './configuration.ts'
import { StartedDefinitions } from './started-definitions.ts'
import type { Terminal } from './terminal.ts'
import { timeoutsFrom } from './timeouts.ts'
import { trustStoreOf } from './trust.ts'
import { UsageError } from './usage-error.ts'
import type { WatchConfigurationOptions } from './watch-configuration.ts'

/** Reads the configuration of the person who runs a gateway. Prints its issues on stderr. */
export async function loadOperator(
  terminal: Terminal,
  options: Options,
  startAs: (spec: ServerSpec) => ServerSpec = (spec) => spec,
): Promise<Operator> {
  const withTimeouts = timeoutsFrom(options)
  const loaded = await loadConfiguration(terminal, options)
  if (loaded === undefined && options['watch'] === true)
    throw new UsageError('--watch needs a configuration file. Name one with --mcp <file>')
  printIssues(terminal, loaded?.issues ?? [])
  const definitions = new StartedDefinitions(trustStoreOf(terminal), (spec) => startAs(withTimeouts(spec)))
  return new Operator(loaded, definitions)
}

/** The person who runs a gateway: their configuration, and what it starts. */
export class Operator {
  readonly loaded: LoadedConfiguration | undefined
  readonly #definitions: StartedDefinitions
  #names: ReadonlySet<string> = new Set()

  constructor(loaded: LoadedConfiguration | undefined, definitions: StartedDefinitions) {
    this.loaded = loaded
    this.#definitions = definitions
  }

  get trust(): TrustStore {
    return this.#definitions.trust
  }

  /** Whether the configuration has a server of this name. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** The accounts of `toolbridge auth`, only for servers of the configuration. */
  async accounts(terminal: Terminal): Promise<CredentialsOf> {
    const { keptAccounts } = await import('./accounts.ts')
    const accounts = keptAccounts(terminal)
    return (spec, principal) => (this.has(spec.name) ? accounts.of(spec, principal) : undefined)
  }

  /** With `--watch`, applies the configuration and the permission rules again when they change. Nobody is asked for trust then. */
  async watch(
    terminal: Terminal,
    options: Options,
    { applyServers, applyRules }: Pick<WatchConfigurationOptions, 'applyServers' | 'applyRules'>,
  ): Promise<Disposable | undefined> {
    const { loaded } = this
    if (options['watch'] !== true || loaded === undefined) return undefined
    const { watchConfiguration } = await import('./watch-configuration.ts')
    return watchConfiguration({
      terminal,
      options,
      loaded,
      applyServers: async (servers) =>
        applyServers(await this.definitions(terminal, servers, { mayPrompt: false })),
      applyRules,
    })
  }

  /** Returns the definitions to start. Asks for trust where it is missing, or prints how to give it. */
  async definitions(
    terminal: Terminal,
    servers: readonly ServerSpec[],
    options: { readonly mayPrompt: boolean },
  ): Promise<readonly ServerSpec[]> {
    const started = await this.#definitions.add(terminal, servers, options)
    this.#names = new Set(servers.map(({ name }) => name))
    return started
  }
}
