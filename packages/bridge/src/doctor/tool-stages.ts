import type { Tool } from '@toolbridge/client'
import { isVisibleToModel } from '@toolbridge/client/internal'
import { estimateTokens } from '../catalog/estimate-tokens.ts'
import { lowerTool } from '../catalog/lowering/lower-tool.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import { profiles } from '../catalog/profiles/profiles.ts'
import type { CatalogEntry } from '../catalog/server-entries.ts'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'
import { fine, warning } from './findings.ts'
import type { Finding } from './result.ts'

const providers = Object.keys(profiles).filter((name): name is ProfileName => Object.hasOwn(profiles, name))

/** Lowers every tool for every model provider and reports those that a provider would reject. */
export function lintSchemas(entries: readonly CatalogEntry[], checks: SchemaChecks): readonly Finding[] {
  const refused = entries.flatMap((entry) => refusal(entry, checks))
  if (refused.length > 0) return refused
  return [fine(`every model provider accepts ${countOf(entries.length)}`, { providers })]
}

function refusal({ tool }: CatalogEntry, checks: SchemaChecks): readonly Finding[] {
  const refusing = providers.flatMap((provider) => {
    const lowering = lowerTool(tool, profiles[provider], checks)
    return lowering.kind === 'quarantined' ? [{ provider, why: lowering.why }] : []
  })
  const [first] = refusing
  if (first === undefined) return []
  const names = refusing.map(({ provider }) => provider)
  const seen = `the tool "${tool.rawName}" is left out for ${names.join(', ')}: ${first.why.reason}`
  const fix = `ask the author of the server to correct its inputSchema, or leave the tool out: "tools": { "deny": ["${tool.rawName}"] }`
  const facts = { tool: tool.rawName, providers: names, reason: first.why.code }
  return [warning('schema_refused', seen, fix, { facts, edit: { kind: 'deny', value: tool.rawName } })]
}

/** Above this number the tools of one server should be filtered or searched for. */
const manyTokens = 10_000

/** Estimates what the definitions of the tools cost in each request to a model. */
export function countTokens(entries: readonly CatalogEntry[]): Finding {
  const costs = entries
    .filter(({ tool }) => isVisibleToModel(tool.definition))
    .map(({ tool }) => ({ name: tool.rawName, tokens: tokensOf(tool.name, tool.definition) }))
    .toSorted((a, b) => b.tokens - a.tokens)
  const tokens = costs.reduce((sum, cost) => sum + cost.tokens, 0)
  const facts = { tokens, largest: costs.slice(0, 3) }
  if (tokens <= manyTokens) return fine(`the tools take about ${tokens} tokens`, facts)
  const fix = `list only the tools that you need, for example "tools": { "allow": ["${costs[0]?.name ?? ''}"] }, or let the model search for them`
  return warning('tokens_high', `the tools take about ${tokens} tokens of every request to a model`, fix, {
    facts,
  })
}

function tokensOf(name: string, { description = '', inputSchema }: Tool): number {
  return estimateTokens(`${name} ${description} ${JSON.stringify(inputSchema)}`)
}

function countOf(count: number): string {
  return count === 1 ? 'the tool' : `all ${count} tools`
}
