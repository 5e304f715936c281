import type { Clock } from '../async/clock.ts'
import type { InlineServers } from '../config/read/inline-servers.ts'
import { describeIssue } from '../config/spec/issue.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { ApplyReport } from './change.ts'
import { type ConfigSource, inOrder, isSource, readGiven, type SourceReading } from './config-source.ts'
import type { Fleet } from './fleet.ts'
import { describeReloadFailure } from './reload-failure.ts'
import { watchSource } from './watch-source.ts'

type Servers = readonly ServerSpec[] | InlineServers | ConfigSource

export interface FleetSourceOptions {
  readonly fleet: Fleet
  readonly emit: Emit
  readonly clock: Clock
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
}

/** Where the definitions of a fleet come from: reads them and applies them, on demand and on change. */
export class FleetSource implements Disposable {
  readonly #servers: Servers
  readonly #options: FleetSourceOptions
  readonly #watches = new Set<Disposable>()

  constructor(servers: Servers, options: FleetSourceOptions) {
    this.#servers = isSource(servers) ? inOrder(servers) : servers
    this.#options = options
  }

  /** Applies the definitions as they are now. A running server whose entry is invalid keeps its previous definition. */
  async reload(signal: AbortSignal | undefined): Promise<ApplyReport> {
    const { fleet, emit } = this.#options
    const { servers, issues = [], refused = [] } = await this.#read(signal)
    for (const issue of issues) emit({ type: 'diagnostic', code: issue.code, message: describeIssue(issue) })
    return fleet.apply([...servers, ...fleet.definitionsOf(refused)], signal)
  }

  /** Reloads on change until disposed. A failure becomes a diagnostic. */
  watch(debounceMs: number | undefined): Disposable {
    if (!isSource(this.#servers))
      throw new TypeError('definitions in code do not change; pass a source such as configFile')
    const watching = watchSource({
      source: this.#servers,
      clock: this.#options.clock,
      ...(debounceMs === undefined ? {} : { debounceMs }),
      reload: () => this.#reloadQuietly(),
    })
    this.#watches.add(watching)
    return watching
  }

  /** Ends all watches. */
  [Symbol.dispose](): void {
    for (const watching of this.#watches) watching[Symbol.dispose]()
  }

  async #read(signal: AbortSignal | undefined): Promise<SourceReading> {
    return isSource(this.#servers)
      ? this.#servers.read(signal === undefined ? {} : { signal })
      : readGiven(this.#servers)
  }

  async #reloadQuietly(): Promise<void> {
    const { closing, emit } = this.#options
    try {
      await this.reload(closing)
    } catch (error) {
      if (closing.aborted) return
      emit({ type: 'diagnostic', code: 'reload_failed', message: describeReloadFailure(error) })
    }
  }
}
