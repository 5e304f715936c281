import type { SearchedLocation } from '@toolbridge/bridge/config'
import type { Options } from './command.ts'

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
  /** Options of the command, which say whether the search is also printed as JSON. */
  readonly options: Options

  constructor(search: FruitlessSearch, options: Options) {
    super('no MCP configuration found')
    this.search = search
    this.options = options
  }
}
