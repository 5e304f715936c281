import type { ServerSpec } from '@toolbridge/bridge'
import { type MCPToolkit, type MCPToolkitMap, readToolkits } from '@toolbridge/bridge/context'
import type { Settings } from '@toolbridge/lockbox'
import { definitionsOf, readSaved, refusalOf, type SavingRules } from '../settings/saved-servers.ts'

/** The enabled saved servers of an owner. */
export interface SavedToolkits {
  readonly usable: MCPToolkitMap
  /** Servers that may not be started, and why. */
  readonly refused: ReadonlyMap<string, string>
}

/** No saved servers. */
export const noToolkits: SavedToolkits = { usable: {}, refused: new Map() }

/** Reads the saved servers of an owner, with one query. */
export async function readSavedToolkits(
  settings: Settings,
  owner: string,
  rules: SavingRules,
): Promise<SavedToolkits> {
  const { servers = {} } = (await readSaved(settings, owner)) ?? {}
  const { specs, issues } = definitionsOf(servers, rules)
  const enabled = specs.filter((spec) => spec.enabled)
  const known = new Set(specs.map(({ name }) => name))
  const refused = Object.keys(servers).filter((name) => !known.has(name))
  return {
    usable: readToolkits(Object.fromEntries(enabled.map((spec) => [spec.name, toolkitOf(spec)]))),
    refused: new Map(refused.map((name) => [name, refusalOf(name, issues)])),
  }
}

function toolkitOf(spec: ServerSpec): MCPToolkit {
  return { transport: { kind: 'definition', spec } }
}
