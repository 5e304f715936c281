import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { ConfigReading } from '../read/read-config.ts'
import type { ConfigScope } from '../spec/server-spec.ts'
import {
  type Candidate,
  candidatesIn,
  flagged,
  isOwn,
  ownVariable,
  type SearchContext,
  withoutOverlap,
} from './candidates.ts'
import {
  type DiscoveredConfig,
  missingFile,
  readCandidate,
  type ReadCandidateOptions,
} from './read-candidates.ts'
import { homeOf, isFile, platformOf, searchContextOf, type SearchOptions } from './search-context.ts'

/** A location at which a configuration file was looked for. */
export interface SearchedLocation {
  /** Absolute path of the folder. */
  readonly folder: string
  /** Path in the folder; `*` matches any name. */
  readonly path: string
  /** Source that a file at this location is. */
  readonly scope: ConfigScope
}

/** The result of `findConfigs`. */
export interface ConfigSearch {
  /** The files in use, in order of precedence. Empty if nothing defines servers. */
  readonly configs: readonly DiscoveredConfig[]
  /**
   * The user's own files of the hosts whose project files are in use, without their servers: what the user disabled or denied
   * there applies too.
   */
  readonly restrictions: readonly DiscoveredConfig[]
  /** Where files were looked for, in order of precedence. Empty if a file was named. */
  readonly searched: readonly SearchedLocation[]
}

/**
 * Finds and reads the configuration in use. A file that the flag names, or `TOOLBRIDGE_MCP_FILE` in the environment or in
 * `.env`, is used alone. Otherwise these are used together: files that variables of other hosts name, the project's
 * `.toolbridge/mcp.json`, the project files of other hosts, and the user's `~/.toolbridge/mcp.json`. Throws a `ConfigError` if
 * the named file is missing.
 */
export async function findConfigs(options: SearchOptions): Promise<ConfigSearch> {
  const typed = namedWithoutSearch(options)
  if (typed !== undefined) return readNamed(typed, options)
  const context = await searchContextOf(options)
  const candidates = withoutOverlap(candidatesIn(context))
  const named = candidates.find((each) => isOwn(each) && each.namedBy !== undefined)
  if (named !== undefined) return readNamed(named, options)
  const inUse = candidates.filter((each) => each.scope !== 'user' || isOwn(each))
  const settings = { cwd: options.cwd, platform: context.platform }
  const configs = await readInUse(inUse, settings)
  const restrictions = await restrictionsOfUser(configs, candidates, settings)
  options.signal?.throwIfAborted()
  return { configs, restrictions, searched: inUse.flatMap(locationsOf) }
}

/** The file that the flag or the environment names, for which no folder has to be searched. */
function namedWithoutSearch({ flag, env, cwd, platform }: SearchOptions): Candidate | undefined {
  const context: SearchContext = {
    env,
    home: homeOf(env),
    platform: platform ?? platformOf(process.platform),
    envFile: new Map(),
    folders: [resolve(cwd)],
  }
  return flag === undefined ? ownVariable(context) : flagged(flag, context)
}

async function readNamed(
  candidate: Candidate,
  { cwd, platform = platformOf(process.platform), dialect }: SearchOptions,
): Promise<ConfigSearch> {
  const { paths, namedBy = '' } = candidate
  const file = paths.map(({ folder, pattern }) => resolve(folder, pattern)).join()
  if (!isFile(file)) throw ConfigError.of([missingFile(file, namedBy)])
  const settings = { cwd, platform, ...(dialect === undefined ? {} : { dialect }) }
  return { configs: await readCandidate(candidate, settings), restrictions: [], searched: [] }
}

async function readInUse(
  inUse: readonly Candidate[],
  options: ReadCandidateOptions,
): Promise<readonly DiscoveredConfig[]> {
  const read = await Promise.all(
    inUse.map(async (candidate) => ({ candidate, configs: await readCandidate(candidate, options) })),
  )
  const defining = read.flatMap(({ candidate, configs }) =>
    configs.filter(({ reading }) => isOwn(candidate) || definesServers(reading)),
  )
  if (defining.length === 0) return []
  return read
    .flatMap(({ configs }) => configs)
    .filter((config) => defining.includes(config) || restrictsServers(config.reading))
}

/** A file that cannot be read may define servers. */
function definesServers({ servers, refused = [], issues }: ConfigReading): boolean {
  return servers.length + refused.length > 0 || issues.some(({ severity }) => severity === 'error')
}

function restrictsServers({ turnedOff, deniedTools, onlyEnabled }: ConfigReading): boolean {
  return turnedOff !== undefined || deniedTools !== undefined || onlyEnabled !== undefined
}

async function restrictionsOfUser(
  found: readonly DiscoveredConfig[],
  all: readonly Candidate[],
  options: ReadCandidateOptions,
): Promise<readonly DiscoveredConfig[]> {
  const hosts = new Set(found.map(({ reading }) => reading.dialect))
  const ofUser = all.filter(
    (each) => each.scope === 'user' && !isOwn(each) && each.dialects.some((dialect) => hosts.has(dialect)),
  )
  const read = await Promise.all(ofUser.map((each) => readCandidate(each, options)))
  return read.flat().flatMap((config) => {
    const { dialect, issues, turnedOff, deniedTools, onlyEnabled } = config.reading
    const isUnread = dialect === ''
    if (!isUnread && !restrictsServers(config.reading)) return []
    const restrictions = {
      ...(turnedOff === undefined ? {} : { turnedOff }),
      ...(deniedTools === undefined ? {} : { deniedTools }),
      ...(onlyEnabled === undefined ? {} : { onlyEnabled }),
    }
    return [{ ...config, reading: { dialect, servers: [], issues: isUnread ? issues : [], ...restrictions } }]
  })
}

function locationsOf({ paths, scope }: Candidate): readonly SearchedLocation[] {
  return paths.map(({ folder, pattern }) => ({ folder, path: pattern, scope }))
}
