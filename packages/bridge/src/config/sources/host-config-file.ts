import { join } from 'node:path'
import { writtenDialects } from '../write/write-config.ts'
import { candidatesIn } from './candidates.ts'
import { isFile, type SearchOptions, searchContextOf } from './search-context.ts'

/** Toolbridge's own format, formats without a file of their own, and a second format of a host's file. */
const notHosts: ReadonlySet<string> = new Set(['mcp-servers', 'agent-apps', 'llm-sdk', 'opencode-v2'])

/** Names of the dialects of the hosts whose files can be written. */
export function connectableHosts(): readonly string[] {
  return writtenDialects().filter((name) => !notHosts.has(name))
}

/**
 * The file in which a host keeps its servers, for this user or for the project of the working folder. It need not exist. Returns
 * undefined if the host has no such file.
 */
export async function hostConfigFile(
  dialect: string,
  scope: 'user' | 'project',
  options: SearchOptions,
): Promise<string | undefined> {
  const context = await searchContextOf(options)
  const paths = candidatesIn(context)
    .filter((candidate) => candidate.scope === scope && candidate.dialects.includes(dialect))
    .map((candidate) => candidate.paths.filter(({ pattern }) => !pattern.includes('*')))
    .find(({ length }) => length > 0)
    ?.map(({ folder, pattern }) => join(folder, pattern))
  return paths?.find(isFile) ?? paths?.[0]
}
