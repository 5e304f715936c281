import type { ServerSpec, TrustStore } from '@toolbridge/bridge/config'
import type { Terminal } from './terminal.ts'
import { askForTrust, trustAsWritten } from './trust.ts'

/** The definitions of a configuration, and how a command starts them. */
export class StartedDefinitions {
  /** Trust is given to entries as they are written, also where they are started differently. */
  readonly trust: TrustStore
  readonly #store: TrustStore
  readonly #startAs: (spec: ServerSpec) => ServerSpec
  /** All entries so far: one that was replaced may start again. */
  readonly #written: ServerSpec[] = []
  /** How they are started, in the same order. */
  readonly #started: ServerSpec[] = []

  /** `startAs` changes how a server is started. */
  constructor(store: TrustStore, startAs: (spec: ServerSpec) => ServerSpec) {
    this.#store = store
    this.#startAs = startAs
    this.trust = trustAsWritten(store, this.#written, this.#started)
  }

  /** Returns the definitions to start. Asks for trust where it is missing, or prints how to give it. */
  async add(
    terminal: Terminal,
    servers: readonly ServerSpec[],
    options: { readonly mayPrompt?: boolean } = {},
  ): Promise<readonly ServerSpec[]> {
    await askForTrust(terminal, servers, this.#store, options)
    // A server that is not started has no tools to list.
    const started = servers.map((spec) => this.#startAs(atOnce(spec)))
    this.#written.push(...servers)
    this.#started.push(...started)
    return started
  }

  /** How the server of this name is started now. */
  named(name: string): ServerSpec | undefined {
    return this.#started.findLast((spec) => spec.name === name)
  }
}

/** The definition with an eager start in place of a later one, also of its policies. */
function atOnce(spec: ServerSpec): ServerSpec {
  return (spec.start ?? spec.policy?.start ?? spec.preset?.start ?? 'eager') === 'eager'
    ? spec
    : { ...spec, start: 'eager' }
}
