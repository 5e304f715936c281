import { specHash } from '../config/spec-hash.ts'
import type { Authority, ServerSpec } from '../config/spec.ts'
import { ConfigError } from '../errors.ts'

/** A server that is there already. */
export interface Running {
  readonly name: string
  /** What `definitionKey` gave for its definition. */
  readonly key: string
  /** It did not start, so there is nothing worth keeping. */
  readonly hasFailed: boolean
}

/** What to do so that the wanted servers are the running ones. */
export interface Plan {
  readonly keep: readonly ServerSpec[]
  readonly start: readonly ServerSpec[]
  /** Names; a changed server is stopped and started. */
  readonly stop: readonly string[]
}

/** Two definitions with the same key start the same thing with the same rights. */
export function definitionKey(spec: ServerSpec, authority: Authority): string {
  const rights = authority.kind === 'local' ? `local ${authority.workspaceFolder}` : authority.kind
  return `${specHash(spec)} ${rights}`
}

/** Plans the change to the wanted servers. Throws a `ConfigError` when two of them have the same name. */
export function planChange(
  running: readonly Running[],
  wanted: readonly ServerSpec[],
  keyOf: (spec: ServerSpec) => string,
): Plan {
  refuseRepeatedNames(wanted)
  const keepable = new Map(running.filter((server) => !server.hasFailed).map(({ name, key }) => [name, key]))
  const keep = wanted.filter((spec) => keepable.get(spec.name) === keyOf(spec))
  const kept = new Set(keep.map((spec) => spec.name))
  return {
    keep,
    start: wanted.filter((spec) => !kept.has(spec.name)),
    stop: running.filter((server) => !kept.has(server.name)).map((server) => server.name),
  }
}

function refuseRepeatedNames(specs: readonly ServerSpec[]): void {
  const seen = new Set<string>()
  const issues = specs
    .filter(({ name }) => seen.size === seen.add(name).size)
    .map(({ name, source }) => ({
      code: 'server_duplicate',
      severity: 'error' as const,
      file: source.file,
      path: source.pointer,
      message: `server "${name}" is defined twice`,
      fix: 'rename or remove one of them',
    }))
  if (issues.length > 0) throw ConfigError.of(issues)
}
