import { join, posix, win32 } from 'node:path'
import { dialects } from '../dialects/all.ts'
import type { ConfigLocation, Dialect, Platform } from '../dialects/dialect.ts'
import { toolbridge } from '../dialects/toolbridge.ts'
import type { ConfigScope, SourceKind } from '../spec/server-spec.ts'

/** The machine and the user whose files are searched. */
export interface SearchContext {
  readonly platform: Platform
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables of the project's `.env` files. */
  readonly envFile: ReadonlyMap<string, EnvFileVariable>
  /** The working folder, then its parents up to the root of the repository. */
  readonly folders: readonly [string, ...string[]]
}

/** A variable that a `.env` sets. */
export interface EnvFileVariable {
  readonly value: string
  /** Folder of the `.env`, to which a relative path refers. */
  readonly folder: string
}

/** A path in the notation of the platform, in two parts. */
export interface CandidatePath {
  /** Absolute path without patterns. */
  readonly folder: string
  /** Relative path; `*` matches any name. */
  readonly pattern: string
}

/** A possible configuration file. */
export interface Candidate {
  /** The first path that exists is used. */
  readonly paths: readonly CandidatePath[]
  readonly scope: ConfigScope
  readonly kind: SourceKind
  /** Dialects that use this location. */
  readonly dialects: readonly string[]
  /** The flag or variable that names the file. A named file must exist. */
  readonly namedBy?: string
}

/** Returns all locations of known hosts, in order of precedence. */
export function candidatesIn(searchContext: SearchContext): readonly Candidate[] {
  const all = dialects.flatMap((dialect) =>
    dialect.locations
      .filter(({ platforms }) => platforms?.includes(searchContext.platform) ?? true)
      .flatMap((location) => candidatesOf(dialect, location, searchContext)),
  )
  return ['environment', 'project', 'user'].flatMap((scope) =>
    withoutRepeated(all.filter((candidate) => candidate.scope === scope)),
  )
}

/** Reports whether a candidate is a location of Toolbridge itself. */
export function isOwn({ dialects: [first] }: Candidate): boolean {
  return first === toolbridge.name
}

/** In the home folder, files of the user are not files of a project. */
export function withoutOverlap(candidates: readonly Candidate[]): readonly Candidate[] {
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

/** The candidate for the file given by `--mcp`. */
export function flagged(flag: string, { platform, folders }: SearchContext): Candidate {
  const origin = { scope: 'flag', kind: 'flag', dialects: [], namedBy: '--mcp' } as const
  return namedCandidate(flag, origin, platform, folders[0])
}

/** The candidate for the file that Toolbridge's own variable names. */
export function ownVariable(context: SearchContext): Candidate | undefined {
  return toolbridge.locations.flatMap((location) => namedByVariable(toolbridge, location, context))[0]
}

function namedCandidate(
  named: string,
  { namedBy, ...rest }: Omit<Candidate, 'paths'> & { readonly namedBy: string },
  platform: Platform,
  base: string,
): Candidate {
  const paths = pathsOf(platform)
  const path = paths.resolve(base, named)
  return { ...rest, paths: [{ folder: paths.dirname(path), pattern: paths.basename(path) }], namedBy }
}

function candidatesOf(
  dialect: Dialect,
  location: ConfigLocation,
  searchContext: SearchContext,
): readonly Candidate[] {
  const named =
    location.variable?.replaces === undefined ? namedByVariable(dialect, location, searchContext) : []
  const isOfProject = location.scope === 'project'
  // The variable names the file to use in place of the project's.
  if (isOfProject && named.length > 0) return named
  const scope = isOfProject ? 'project' : 'user'
  const paths = isOfProject ? inProject(location, searchContext) : [ofPerson(location, searchContext)]
  return [...named, { paths, scope, kind: scope, dialects: [dialect.name] }]
}

/** A file that `.env` names counts as part of the project. */
function namedByVariable(
  { name: dialect }: Dialect,
  { variable }: ConfigLocation,
  { env, envFile, platform, folders }: SearchContext,
): readonly Candidate[] {
  if (variable === undefined) return []
  const { name, isInEnvFile = false } = variable
  const shared = { scope: 'environment', dialects: [dialect] } as const
  const own = env[name]
  if (own) {
    const origin = { ...shared, kind: 'environment', namedBy: `${name} in the environment` } as const
    return [namedCandidate(own, origin, platform, folders[0])]
  }
  const { value = '', folder = '' } = (isInEnvFile ? envFile.get(name) : undefined) ?? {}
  if (value === '') return []
  const file = folder === folders[0] ? '.env' : pathsOf(platform).join(folder, '.env')
  const origin = { ...shared, kind: 'project', namedBy: `${name} in ${file}` } as const
  return [namedCandidate(value, origin, platform, folder)]
}

function inProject(
  { path, isUpward }: ConfigLocation,
  { platform, folders }: SearchContext,
): readonly CandidatePath[] {
  const pattern = pathsOf(platform).normalize(path)
  return (isUpward === true ? folders : folders.slice(0, 1)).map((folder) => ({ folder, pattern }))
}

function ofPerson({ path, variable }: ConfigLocation, searchContext: SearchContext): CandidatePath {
  const { platform, home, env } = searchContext
  const paths = pathsOf(platform)
  const { name = '', replaces } = variable ?? {}
  const starts: readonly (readonly [string | undefined, string | undefined])[] = [
    [replaces, env[name] || undefined],
    ['~', home],
    ['%APPDATA%', env['APPDATA'] || paths.join(home, 'AppData', 'Roaming')],
  ]
  for (const [start, folder] of starts)
    if (start !== undefined && folder !== undefined && path.startsWith(`${start}/`))
      return { folder, pattern: paths.normalize(path.slice(start.length + 1)) }
  const whole = paths.normalize(path)
  return { folder: paths.dirname(whole), pattern: paths.basename(whole) }
}

/** Path functions of a platform. */
function pathsOf(platform: Platform): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** Merges candidates of dialects that share a location. */
function withoutRepeated(candidates: readonly Candidate[]): readonly Candidate[] {
  const byPath = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = JSON.stringify(candidate.paths)
    const known = byPath.get(key)
    byPath.set(
      key,
      known === undefined
        ? candidate
        : { ...known, dialects: [...new Set([...known.dialects, ...candidate.dialects])] },
    )
  }
  return [...byPath.values()]
}
