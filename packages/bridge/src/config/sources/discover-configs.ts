import { candidatesIn, flagged, withoutOverlap } from './candidates.ts'
import { type DiscoveredConfig, readCandidate } from './read-candidates.ts'
import { readEnvFiles, searchContextOf, type SearchOptions } from './search-context.ts'

/**
 * Finds and reads the configuration files of all known hosts, in order of precedence. Never throws because of a file: a
 * file that cannot be read, or that is named explicitly and missing, is returned with an issue.
 */
export async function discoverConfigs(options: SearchOptions): Promise<readonly DiscoveredConfig[]> {
  const { flag, cwd, signal, dialect } = options
  const context = await searchContextOf(options, (folders) => readEnvFiles(folders).catch(() => new Map()))
  const { platform } = context
  const named = flag === undefined ? [] : [flagged(flag, context)]
  const candidates = withoutOverlap([...named, ...candidatesIn(context)])
  const found = await Promise.all(
    candidates.map((each) => {
      const isNamed = dialect !== undefined && each.scope === 'flag'
      return readCandidate(each, { cwd, platform, ...(isNamed ? { dialect } : {}) })
    }),
  )
  signal?.throwIfAborted()
  return found.flat()
}
