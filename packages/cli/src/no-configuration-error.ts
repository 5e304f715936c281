import type { SearchedLocation } from '@toolbridge/bridge/config'

/** Where a configuration was looked for. */
export interface FruitlessSearch {
  /** Variables that may name a file and are not set. */
  readonly variables: readonly string[]
  readonly searched: readonly SearchedLocation[]
  /** Files of other hosts in the user's folder that define servers, which `--discover` uses. */
  readonly otherFiles: readonly string[]
  /** Files of the project in the nearest parent folder that has some. */
  readonly parentFiles: readonly string[]
}

/** No configuration was found. */
export class NoConfigurationError extends Error {
  override readonly name = 'NoConfigurationError'
  readonly search: FruitlessSearch
  /** Whether the search is also printed as JSON. */
  readonly asJson: boolean

  constructor(search: FruitlessSearch, asJson: boolean) {
    super('no MCP configuration found')
    this.search = search
    this.asJson = asJson
  }
}
