import { join } from 'node:path'
import type { Platform } from '../dialects/dialect.ts'
import { type ConfigReading, readConfig } from '../read/read-config.ts'
import { readFileText } from '../read/read-config-text.ts'
import type { Issue } from '../spec/issue.ts'
import type { ConfigScope, SourceKind } from '../spec/server-spec.ts'
import { type Candidate, type CandidatePath, isOwn } from './candidates.ts'
import { namesIn } from './search-context.ts'

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

/** Options of `readCandidate`. */
export interface ReadCandidateOptions {
  readonly cwd: string
  readonly platform: Platform
  /** Name of the dialect. Default: that of the candidate's host if it is named, else recognized. */
  readonly dialect?: string
}

/** Reads the first file of a candidate that exists, or all that match its pattern. */
export async function readCandidate(
  candidate: Candidate,
  options: ReadCandidateOptions,
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
  const names = await namesIn(folder).catch(() => [])
  const isLike = (name: string): boolean =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  return names.filter(isLike).toSorted()
}

async function readOne(
  file: string,
  candidate: Candidate,
  { cwd, platform, dialect = namedDialect(candidate) }: ReadCandidateOptions,
): Promise<DiscoveredConfig | undefined> {
  const { scope, kind, namedBy } = candidate
  const found = { file, scope, kind, ...(namedBy === undefined ? {} : { namedBy }) }
  const text = await readFileText(file)
  if (text === undefined)
    return namedBy === undefined ? undefined : { ...found, reading: unread(missingFile(file, namedBy)) }
  if (typeof text !== 'string') return { ...found, reading: unread(text) }
  if (mayDefineNothing(candidate) && isPlainMarkdown(file, text)) return undefined
  const options = { file, kind, platform, workspaceFolder: cwd }
  const reading = readConfig(text, dialect === undefined ? options : { ...options, dialect })
  return { ...found, reading: mayDefineNothing(candidate) ? allowMissingServers(reading) : reading }
}

/** A file named by a host's variable is in the dialect of the host; `TOOLBRIDGE_MCP_FILE` accepts any dialect. */
function namedDialect({ namedBy, dialects: [dialect, ...others] }: Candidate): string | undefined {
  return namedBy !== undefined && others.length === 0 && dialect !== 'mcp-servers' ? dialect : undefined
}

/** A file of a host that was not named explicitly may define no servers. */
function mayDefineNothing(candidate: Candidate): boolean {
  return candidate.namedBy === undefined && !isOwn(candidate)
}

/** Markdown without front matter is no configuration. */
function isPlainMarkdown(file: string, text: string): boolean {
  return /\.md$/i.test(file) && !/^\uFEFF?---/.test(text)
}

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
