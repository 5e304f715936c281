import {
  type FirstNamed,
  type NamingPolicy,
  defaultNaming,
  firstName,
  plainName,
} from '@toolbridge/client/internal'
import type { Tool } from '@toolbridge/client'
import type { Policy } from '../config/spec/policy.ts'
import type { BridgeTool } from './bridge-tool.ts'
import { type FilteredDefinition, toolFilter } from './tool-filter.ts'
import { toolUri } from './tool-uri.ts'

/** The tools of a server and the filter of its definition. */
export interface ServerTools {
  readonly name: string
  readonly tools: readonly Tool[]
  /** The filter and naming of the definition. */
  readonly filter?: FilteredDefinition & { readonly policy?: Partial<Policy> | undefined }
}

/** A tool before its name is checked for collisions. */
export interface CatalogEntry {
  /** The tool under its first name. */
  readonly tool: BridgeTool
  readonly policy: NamingPolicy
}

export function firstNamed({ tool, policy }: CatalogEntry): FirstNamed {
  return { pair: { server: tool.server, tool: tool.rawName }, first: tool.name, policy }
}

/** The entries of one server. */
export interface ServerEntries {
  readonly tools: readonly Tool[]
  readonly filterKey: string
  readonly entries: readonly CatalogEntry[]
  /** Names that the server lists twice. */
  readonly repeated: readonly string[]
  /** Number of tools that the filter removes. */
  readonly filteredCount: number
}

/** Returns whether the tools and filter of a server are the same as before. */
export function isUnchanged(known: ServerEntries | undefined, server: ServerTools): boolean {
  return known !== undefined && known.tools === server.tools && known.filterKey === filterKey(server)
}

/** Computes the entries of a server. */
export function serverEntries(server: ServerTools, policy: NamingPolicy): ServerEntries {
  const isOffered = server.filter === undefined ? () => true : toolFilter(server.filter)
  const seen = new Set<string>()
  const repeated: string[] = []
  const entries: CatalogEntry[] = []
  let filteredCount = 0
  for (const tool of server.tools) {
    if (seen.size === seen.add(tool.name).size) repeated.push(tool.name)
    else if (isOffered(tool)) entries.push(entry(server.name, tool, policy))
    else filteredCount += 1
  }
  return { tools: server.tools, filterKey: filterKey(server), entries, repeated, filteredCount }
}

function filterKey({ filter }: ServerTools): string {
  return filter === undefined ? '' : JSON.stringify([filter.tools, filter.readOnly, filter.policy])
}

function entry(server: string, definition: Tool, policy: NamingPolicy): CatalogEntry {
  const pair = { server, tool: definition.name }
  const plain = plainName(pair, policy)
  const first = firstName(pair, policy, plain)
  const isUsual = policy.separator === defaultNaming.separator && policy.sanitize === defaultNaming.sanitize
  const usual = isUsual ? plain : plainName(pair)
  const tool: BridgeTool = {
    name: first,
    server,
    rawName: definition.name,
    uri: toolUri(server, definition.name),
    plainNames: plain === usual ? [plain] : [plain, usual],
    definition,
  }
  return { tool, policy }
}
