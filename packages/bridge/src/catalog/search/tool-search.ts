import { isVisibleToModel } from '@toolbridge/client/internal'
import type { BridgeTool } from '../bridge-tool.ts'
import type { Catalog } from '../catalog.ts'
import { ToolIndex, type ToolMatches } from './tool-index.ts'

/** Options of `Bridge.searchTools`. */
export interface SearchToolsOptions {
  /** Maximum number of results. Default: 5. */
  readonly limit?: number
  /** Selects the tools to search. Default: all. */
  readonly among?: (tool: BridgeTool) => boolean
}

/** Searches the model-visible tools of a catalog. The index is updated by the next search. */
export class ToolSearch {
  readonly #catalog: Catalog
  readonly #index = new ToolIndex()
  #revision = -1

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  search(query: string, { limit = 5, among = () => true }: SearchToolsOptions = {}): ToolMatches {
    this.#follow()
    return this.#index.search(query, limit, among)
  }

  #follow(): void {
    if (this.#revision === this.#catalog.revision) return
    const listed = new Set(this.#catalog.tools)
    this.#index.remove([...this.#index.tools].filter((tool) => !listed.has(tool)))
    for (const tool of listed)
      if (!this.#index.has(tool) && isVisibleToModel(tool.definition)) this.#index.add(tool)
    this.#revision = this.#catalog.revision
  }
}
