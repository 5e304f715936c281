import { readRegularFile } from '../documents/read-regular-file.ts'
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Platform } from '../dialects/dialect.ts'
import { parseEnvFile } from '../documents/env-file.ts'
import { type ConfigReading, readConfig } from '../read/read-config.ts'
import { readFileText } from '../read/read-config-text.ts'
import type { Issue } from '../spec/issue.ts'
import type { ConfigScope, SourceKind } from '../spec/server-spec.ts'
import {
  type Candidate,
  type CandidatePath,
  candidatesIn,
  namedCandidate,
  type SearchContext,
} from './candidates.ts'

/** Options of `discoverConfigs`. */
export interface DiscoverOptions {
  /** Path given by `--mcp`. Default: none. */
  readonly flag?: string
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Working folder. */
  readonly cwd: string
  /** Home folder of the user. Default: `HOME` or `USERPROFILE` of `env`, else that of this process. */
  readonly home?: string
  /** Platform whose locations are searched. Default: the current one. */
  readonly platform?: Platform
  /** Aborts the search. */
  readonly signal?: AbortSignal
}

/** A configuration file that was found, and its content. */
export interface DiscoveredConfig {
  /** Absolute path. */
  readonly file: string
  /** Source of the file, for `mergeConfigs`. */
  readonly scope: ConfigScope
  /** How the file was provided. A file that `.env` of the project names is `project`. */
  readonly kind: SourceKind
  /** The flag or variable that names the file. */
  readonly namedBy?: string
  /** Content of the file. */
  readonly reading: ConfigReading
}

/**
 * Finds and reads the configuration files of all known hosts, in order of precedence. Never throws because of a file: a
 * file that cannot be read, or that is named explicitly and missing, is returned with an issue.
 */
export async function discoverConfigs(options: DiscoverOptions): Promise<readonly DiscoveredConfig[]> {
  const searchContext = await searchContextOf(options)
  const { flag, cwd, signal } = options
  const flagged =
    flag === undefined
      ? []
      : [namedCandidate(flag, { scope: 'flag', kind: 'flag', dialects: [], namedBy: '--mcp' }, searchContext)]
  const found = await Promise.all(
    withoutOverlap([...flagged, ...candidatesIn(searchContext)]).map((candidate) =>
      readCandidate(candidate, { cwd, platform: searchContext.platform }),
    ),
  )
  signal?.throwIfAborted()
  return found.flat()
}

async function searchContextOf({ env, cwd, home, platform }: DiscoverOptions): Promise<SearchContext> {
  return {
    env,
    home: home ?? env['HOME'] ?? env['USERPROFILE'] ?? homedir(),
    platform: platform ?? platformOf(process.platform),
    envFile: parseEnvFile(await readRegularFile(join(cwd, '.env')).then(String, () => '')),
    folders: await foldersFrom(resolve(cwd)),
  }
}

/** Other platforms use the locations of Linux. */
function platformOf(name: string): Platform {
  return name === 'darwin' || name === 'win32' ? name : 'linux'
}

/** The folder and its parents up to the root of the repository; only the folder outside of a repository. */
async function foldersFrom(cwd: string): Promise<readonly [string, ...string[]]> {
  const around: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder !== cwd) around.push(folder)
    if (await exists(join(folder, '.git'))) return [cwd, ...around]
    if (dirname(folder) === folder) return [cwd]
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** In the home folder, files of the user are not files of a project. */
function withoutOverlap(candidates: readonly Candidate[]): readonly Candidate[] {
  const wholeOf = ({ folder, pattern }: CandidatePath): string => join(folder, pattern)
  const ofUser = new Set(
    candidates.filter(({ scope }) => scope === 'user').flatMap(({ paths }) => paths.map(wholeOf)),
  )
  return candidates.map((candidate) =>
    candidate.scope === 'project'
      ? { ...candidate, paths: candidate.paths.filter((path) => !ofUser.has(wholeOf(path))) }
      : candidate,
  )
}

interface ReadOptions {
  readonly cwd: string
  readonly platform: Platform
}

async function readCandidate(
  candidate: Candidate,
  options: ReadOptions,
): Promise<readonly DiscoveredConfig[]> {
  for (const path of candidate.paths) {
    const files = candidate.namedBy === undefined ? await matches(path) : [join(path.folder, path.pattern)]
    const read = await Promise.all(files.map((file) => readOne(file, candidate, options)))
    const found = read.filter((each) => each !== undefined)
    if (found.length > 0) return found
  }
  return []
}

/** Paths that match a pattern, sorted by name. */
async function matches({ folder, pattern }: CandidatePath): Promise<readonly string[]> {
  if (!pattern.includes('*')) return [join(folder, pattern)]
  let paths: readonly string[] = [folder]
  for (const segment of pattern.split(/[\\/]/)) {
    const deeper = await Promise.all(paths.map((path) => namesLike(segment, path)))
    paths = paths.flatMap((path, index) => (deeper[index] ?? []).map((name) => join(path, name)))
  }
  return paths
}

async function namesLike(segment: string, folder: string): Promise<readonly string[]> {
  if (!segment.includes('*')) return [segment]
  const [start = '', end = ''] = segment.split('*')
  const names = await readdir(folder).catch(() => [])
  const isLike = (name: string): boolean =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  return names.filter(isLike).toSorted()
}

async function readOne(
  file: string,
  { scope, kind, namedBy, dialects }: Candidate,
  { cwd, platform }: ReadOptions,
): Promise<DiscoveredConfig | undefined> {
  const found = { file, scope, kind, ...(namedBy === undefined ? {} : { namedBy }) }
  const text = await readFileText(file)
  if (text === undefined)
    return namedBy === undefined ? undefined : { ...found, reading: unread(missingFile(file, namedBy)) }
  if (typeof text !== 'string') return { ...found, reading: unread(text) }
  const dialect = namedBy === undefined ? undefined : namedDialect(dialects)
  const options = { file, kind, platform, workspaceFolder: cwd }
  const reading = readConfig(text, dialect === undefined ? options : { ...options, dialect })
  return { ...found, reading: namedBy === undefined ? allowMissingServers(reading) : reading }
}

/** A file named by a host's variable is in the dialect of the host; `TOOLBRIDGE_MCP_FILE` accepts any dialect. */
function namedDialect([dialect, ...others]: readonly string[]): string | undefined {
  return others.length === 0 && dialect !== 'mcp-servers' ? dialect : undefined
}

/** A file that was not named explicitly may define no servers. */
function allowMissingServers(reading: ConfigReading): ConfigReading {
  const issues = reading.issues.map(
    (issue): Issue => (issue.code === 'root_missing' ? { ...issue, severity: 'warning' } : issue),
  )
  return { ...reading, issues }
}

function unread(issue: Issue): ConfigReading {
  return { dialect: '', servers: [], issues: [issue] }
}

/** The issue about a named file that does not exist. */
export function missingFile(file: string, namedBy: string): Issue {
  return {
    code: 'file_missing',
    severity: 'error',
    file,
    path: '',
    message: `configuration file not found: ${file} (named by ${namedBy})`,
    fix: 'correct the path, or create the file',
  }
}
