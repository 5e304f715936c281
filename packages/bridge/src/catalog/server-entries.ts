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

/** What a server lists, and what its definition lets through of that. */
export interface ServerTools {
  readonly name: string
  readonly tools: readonly Tool[]
  /** What its definition lets through, and how it wants its tools named. */
  readonly filter?: FilteredDefinition & { readonly policy?: Partial<Policy> | undefined }
}

/** A tool that is offered, before it is known whether another one would have its name. */
export interface CatalogEntry {
  /** The tool under its first name. */
  readonly tool: BridgeTool
  readonly policy: NamingPolicy
}

export function firstNamed({ tool, policy }: CatalogEntry): FirstNamed {
  return { pair: { server: tool.server, tool: tool.rawName }, first: tool.name, policy }
}

/** What is offered of one server, and what was left out on the way. */
export interface ServerEntries {
  readonly tools: readonly Tool[]
  readonly filterKey: string
  readonly entries: readonly CatalogEntry[]
  /** Names that were listed twice. */
  readonly repeated: readonly string[]
  /** How many tools the definition does not let through. */
  readonly filteredCount: number
}

/** Whether a server offers what it offered before. */
export function isUnchanged(known: ServerEntries | undefined, server: ServerTools): boolean {
  return known !== undefined && known.tools === server.tools && known.filterKey === filterKey(server)
}

/** Works out what a server offers. */
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
