import { abortable, linkedSignal } from '@toolbridge/client/internal'
import type { BridgeTool } from './catalog/catalog.ts'
import type { ToolTable } from './catalog/tool-table.ts'
import { Changes } from './changes.ts'
import type { Fleet } from './fleet/fleet.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface ToolFinderOptions {
  readonly tools: ToolTable
  readonly fleet: Fleet
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
}

/** Finds tools by name, also those of servers that are starting or that start on first use. */
export class ToolFinder {
  readonly #options: ToolFinderOptions
  readonly #changes = new Changes()

  constructor(options: ToolFinderOptions) {
    this.#options = options
  }

  /** Starts servers that start on first use and could have the tool, and waits while one that could have it is starting. */
  async find(name: string, signal: AbortSignal | undefined): Promise<BridgeTool | undefined> {
    const { tools, fleet, closing } = this.#options
    using ended = linkedSignal(signal, closing)
    const tried = new Set<Upstream>()
    for (;;) {
      ended.signal.throwIfAborted()
      const tool = tools.find(name)
      if (tool !== undefined) return tool
      for (const upstream of this.#dormant(name))
        if (tried.size < tried.add(upstream).size) this.#wake(upstream)
      if (!fleet.starting.some((server) => tools.mayHave(server, name))) return undefined
      await abortable(this.#changes.next(), ended.signal)
    }
  }

  /** To be called when the tools or the starting servers change. */
  changed(): void {
    this.#changes.tell()
  }

  #dormant(name: string): readonly Upstream[] {
    const { tools, fleet } = this.#options
    return fleet.upstreams.filter((upstream) => upstream.isDormant && tools.mayHave(upstream.spec, name))
  }

  #wake(upstream: Upstream): void {
    void upstream.wake().then(() => this.changed())
  }
}
