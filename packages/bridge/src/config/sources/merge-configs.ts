import type { ConfigReading } from '../read/read-config.ts'
import type { Issue } from '../spec/issue.ts'
import { findLostRestrictions } from '../spec/lost-restrictions.ts'
import { defaultPolicy, type Policy } from '../spec/policy.ts'
import type { ConfigScope, ServerSpec, SpecSource } from '../spec/server-spec.ts'

/** Definitions of one source, such as a file or an execution context. */
export interface MergeSource {
  /** Path of the file, or a name for other sources. */
  readonly file: string
  /** Source of the definitions, which determines their precedence. */
  readonly scope: ConfigScope
  /** The definitions. */
  readonly reading: Pick<ConfigReading, 'servers' | 'issues'> &
    Partial<
      Pick<ConfigReading, 'dialect' | 'refused' | 'turnedOff' | 'onlyEnabled' | 'deniedTools' | 'positions'>
    >
}

/** A definition that another one of the same name overrides. */
export interface ShadowedServer {
  /** Source of the definition. */
  readonly scope: ConfigScope
  /** Where the definition was written. */
  readonly source: SpecSource
  /** Canonical fields in which it was more restrictive than the definition in force. */
  readonly lostRestrictions: readonly string[]
}

/** A server after merging. */
export interface MergedServer {
  /** The definition in force. */
  readonly spec: ServerSpec
  /** Source of the definition. */
  readonly scope: ConfigScope
  /** Definitions that it overrides. */
  readonly shadowed: readonly ShadowedServer[]
  /** The file that disables the server by a list. */
  readonly turnedOffBy?: string
}

/** A server whose definition with the highest precedence cannot be used. */
export interface RefusedServer {
  /** Name of the server. */
  readonly name: string
  /** Path of the file with the definition. */
  readonly file: string
  /** Source of the definition. */
  readonly scope: ConfigScope
  /** Definitions of the same name, which are not used in its place. */
  readonly shadowed: readonly ShadowedServer[]
}

/** The result of `mergeConfigs`. */
export interface ConfigMerge {
  /** Servers in order of the sources. */
  readonly servers: readonly MergedServer[]
  /** Servers that cannot be used, in order of the sources. */
  readonly refused: readonly RefusedServer[]
  /** Issues of the sources, then issues of merging. */
  readonly issues: readonly Issue[]
}

/**
 * Merges definitions by name. The definition whose source comes first in `config.sources` is in force; within one source
 * the first one is. If that definition is refused, a lower one is not used in its place: the refused field may have been
 * a filter.
 */
export function mergeConfigs(
  sources: readonly MergeSource[],
  policy: Partial<Pick<Policy, 'config.sources'>> = {},
): ConfigMerge {
  const order = policy['config.sources'] ?? defaultPolicy['config.sources']
  const inOrder = order.flatMap((scope) => sources.filter((source) => source.scope === scope))
  const merger = new ConfigMerger()
  for (const source of inOrder) merger.add(source)
  const servers = merger.servers().map((server) => withDeniedTools(turnedOff(server, inOrder), inOrder))
  const issues = [
    ...sources.flatMap(({ reading }) => reading.issues),
    ...sources.filter((source) => !inOrder.includes(source)).flatMap(unusedSource),
    ...merger.issues,
    ...servers.flatMap(issuesOf),
  ]
  return { servers, refused: merger.refused(), issues }
}

/** Collects the definitions in force. */
class ConfigMerger {
  readonly issues: Issue[] = []
  readonly #winners = new Map<string, { spec: ServerSpec; scope: ConfigScope; shadowed: ShadowedServer[] }>()
  readonly #refused = new Map<string, RefusedServer & { readonly shadowed: ShadowedServer[] }>()

  add({ scope, file, reading }: MergeSource): void {
    for (const spec of reading.servers) this.#addServer(spec, scope)
    for (const name of reading.refused ?? [])
      if (!this.#winners.has(name) && !this.#refused.has(name))
        this.#refused.set(name, { name, file, scope, shadowed: [] })
  }

  #addServer(spec: ServerSpec, scope: ConfigScope): void {
    const refused = this.#refused.get(spec.name)
    const winner = this.#winners.get(spec.name)
    if (refused !== undefined) {
      this.issues.push(refusedAbove(spec, refused.file))
      refused.shadowed.push({ scope, source: spec.source, lostRestrictions: [] })
    } else if (winner === undefined) this.#winners.set(spec.name, { spec, scope, shadowed: [] })
    else {
      const lostRestrictions = findLostRestrictions(spec, winner.spec)
      winner.shadowed.push({ scope, source: spec.source, lostRestrictions })
    }
  }

  servers(): readonly MergedServer[] {
    return [...this.#winners.values()]
  }

  refused(): readonly RefusedServer[] {
    return [...this.#refused.values()]
  }
}

/** A list of disabled servers also applies to servers of other files. */
function turnedOff(server: MergedServer, sources: readonly MergeSource[]): MergedServer {
  const { spec } = server
  const list = sources.find(({ reading }) => isOffIn(reading, spec))
  if (list === undefined || !spec.enabled) return server
  return { ...server, spec: { ...spec, enabled: false }, turnedOffBy: list.file }
}

/** Denied tools of other files of the same host are denied too. */
function withDeniedTools(server: MergedServer, sources: readonly MergeSource[]): MergedServer {
  const { spec } = server
  const denied = sources
    .filter(({ reading }) => reading.dialect === spec.dialect)
    .flatMap(({ reading: { deniedTools = {} } }) => deniedToolsOf(spec.name, deniedTools))
  if (denied.length === 0) return server
  const deny = [...new Set([...(spec.tools?.deny ?? []), ...denied])]
  return { ...server, spec: { ...spec, tools: { ...spec.tools, deny } } }
}

/** Rules name servers with underscores for special characters. */
function deniedToolsOf(
  name: string,
  deniedTools: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const names = new Set([name, name.replaceAll(/[^\w-]/g, '_')])
  return Object.entries(deniedTools).flatMap(([server, tools]) => (names.has(server) ? tools : []))
}

function isOffIn(
  { dialect, turnedOff: off = [], onlyEnabled }: MergeSource['reading'],
  spec: ServerSpec,
): boolean {
  const isLeftOut = spec.dialect === dialect && onlyEnabled?.includes(spec.name) === false
  return isLeftOut || off.includes(spec.name)
}

function issuesOf({ spec, shadowed, turnedOffBy }: MergedServer): readonly Issue[] {
  const widened = shadowed
    .filter(({ lostRestrictions }) => spec.enabled && lostRestrictions.length > 0)
    .map(({ source, lostRestrictions }) =>
      issueAt(source, {
        code: 'server_widened',
        severity: 'warning',
        message: `server "${spec.name}" is more restrictive here (${lostRestrictions.join(', ')}) than in ${spec.source.file}, which takes precedence`,
        fix: 'set the same there, or remove one of the two',
      }),
    )
  if (turnedOffBy === undefined) return widened
  const off = issueAt(spec.source, {
    code: 'server_turned_off',
    severity: 'warning',
    message: `server "${spec.name}" is disabled by a list in ${turnedOffBy}`,
    fix: `to use it, remove it from the list in ${turnedOffBy}`,
  })
  return [...widened, off]
}

function refusedAbove(spec: ServerSpec, file: string): Issue {
  return issueAt(spec.source, {
    code: 'server_refused_above',
    severity: 'error',
    message: `server "${spec.name}" is also defined in ${file}, which takes precedence but cannot be used, so this definition is not used either`,
    fix: 'correct the first definition, or remove it',
  })
}

function unusedSource({ file, scope }: MergeSource): readonly Issue[] {
  const message = `the policy config.sources excludes the source "${scope}"`
  const fix = `add "${scope}" to it, or remove the file`
  return [{ code: 'source_unused', severity: 'warning', file, path: '', message, fix }]
}

function issueAt(
  { file, pointer, line, column }: SpecSource,
  finding: Pick<Issue, 'code' | 'severity' | 'message' | 'fix'>,
): Issue {
  return {
    ...finding,
    file,
    path: pointer,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
