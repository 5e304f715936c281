import { isVisibleToModel } from '@toolbridge/client'
import type { BridgeTool } from '../bridge-tool.ts'
import type { Catalog } from '../catalog.ts'
import { ToolIndex, type ToolMatches } from './tool-index.ts'

export interface SearchToolsOptions {
  /** How many tools to return at most: 5 unless told. */
  readonly limit?: number
  /** Which tools to search in; all of them unless told. */
  readonly among?: (tool: BridgeTool) => boolean
}

/** Searches the tools of a catalog that models may see. The index follows the catalog when it is next searched. */
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
