import type { ServerSpec } from '@toolbridge/bridge'
import type { TrustStore } from '@toolbridge/bridge/config'
import type { LoadedConfiguration } from './configuration.ts'
import type { Terminal } from './terminal.ts'
import { atOnce } from './terminal-bridge.ts'
import { askForTrust, trustAsWritten } from './trust.ts'

/** The person who runs a gateway: their configuration, and what it starts. */
export class Operator {
  readonly loaded: LoadedConfiguration | undefined
  /** Trust is given to entries as they are written, also where they are started differently. */
  readonly trust: TrustStore
  readonly #store: TrustStore
  /** All entries so far: one that was replaced may start again. */
  readonly #written: ServerSpec[] = []
  /** How they are started, in the same order. */
  readonly #started: ServerSpec[] = []
  readonly #startAs: (spec: ServerSpec) => ServerSpec
  #names: ReadonlySet<string> = new Set()

  /** `startAs` changes how a server is started. */
  constructor(
    loaded: LoadedConfiguration | undefined,
    store: TrustStore,
    startAs: (spec: ServerSpec) => ServerSpec,
  ) {
    this.loaded = loaded
    this.#startAs = startAs
    this.#store = store
    this.trust = trustAsWritten(store, this.#written, this.#started)
  }

  /** Whether the configuration has a server of this name. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Returns the definitions to start. Asks for trust where it is missing, or prints how to give it. */
  async definitions(
    terminal: Terminal,
    servers: readonly ServerSpec[],
    options: { readonly mayPrompt: boolean },
  ): Promise<readonly ServerSpec[]> {
    await askForTrust(terminal, servers, this.#store, options)
    this.#names = new Set(servers.map(({ name }) => name))
    // A server that is not started has no tools to list.
    const started = servers.map((spec) => this.#startAs(atOnce(spec)))
    this.#written.push(...servers)
    this.#started.push(...started)
    return started
  }
}
