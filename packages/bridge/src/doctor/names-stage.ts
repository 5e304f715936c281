import { resolveNames } from '@toolbridge/client/internal'
import { firstNamed, type ServerEntries } from '../catalog/server-entries.ts'
import { fine, warning } from './findings.ts'
import type { Finding, StageResult } from './result.ts'

/** Names the tools of all servers together, as a bridge does, and reports collisions and names that are too long. */
export function nameStages(servers: ReadonlyMap<string, ServerEntries>): readonly StageResult[] {
  const entries = [...servers.values()].flatMap((server) => server.entries)
  const names = resolveNames(entries.map(firstNamed))
  return [...servers].flatMap(([server, { repeated, filteredCount }]) => {
    const own = entries.flatMap((entry, index) =>
      entry.tool.server === server ? [{ ...entry, ...names[index] }] : [],
    )
    const problems = [
      ...repeated.map(repeatedTool),
      ...own.flatMap((entry): readonly Finding[] => {
        if (entry.hasCollided === true) return [collision(entry.tool, entry.name, entries)]
        const plain = entry.tool.plainNames[0] ?? ''
        return plain.length > entry.policy.maxLength
          ? [shortened(entry.tool, plain, entry.policy.maxLength)]
          : []
      }),
    ]
    const offered = own.flatMap(({ name, tool }) => (name === undefined ? [] : [{ name, tool }]))
    const facts = {
      names: offered.map(({ name }) => name),
      rawNames: offered.map(({ tool }) => tool.rawName),
      ...(filteredCount === 0 ? {} : { filtered: filteredCount }),
    }
    const found = problems.length === 0 ? [fine('every name is unique and short enough')] : problems
    return found.map((finding) => ({ server, stage: 'names' as const, ...finding, facts }))
  })
}

type Named = ServerEntries['entries'][number]['tool']

function repeatedTool(name: string): Finding {
  const fix = 'report it to the author of the server'
  return warning('tool_repeated', `the server lists the tool "${name}" twice; the first one is used`, fix)
}

function collision(tool: Named, name: string | undefined, entries: ServerEntries['entries']): Finding {
  const other = entries.find((entry) => entry.tool !== tool && entry.tool.name === tool.name)?.tool
  const what = other === undefined ? 'another tool' : `"${other.rawName}" of ${other.server}`
  const outcome = name === undefined ? 'it is left out' : `it is called ${name}`
  const seen = `the tool "${tool.rawName}" would have the same name as ${what}, ${tool.name}, so ${outcome}`
  return warning(
    'name_collision',
    seen,
    `rename the server ${tool.server}, so that its letters and digits differ`,
  )
}

function shortened({ rawName, name, server }: Named, plain: string, max: number): Finding {
  const tooMany = plain.length - max
  const seen = `the name ${plain} has ${plain.length} characters, of which models accept ${max}, so it is called ${name}`
  const fix =
    server.length > tooMany
      ? `give the server a name that is at least ${tooMany} characters shorter than "${server}"`
      : `ask the author of the server for a shorter name than "${rawName}", or leave the tool out with "tools": { "deny": [ … ] }`
  return warning('name_shortened', seen, fix)
}
