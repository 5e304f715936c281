import { specText } from '../config/spec/spec-hash.ts'
import type { Authority, ServerSpec } from '../config/spec/server-spec.ts'
import { ConfigError } from '../errors.ts'

/** A server that runs or starts. */
export interface Known {
  readonly name: string
  /** `definitionKey` of its definition. */
  readonly key: string
}

/** The steps from the running servers to the wanted ones. */
export interface Plan {
  readonly keep: readonly ServerSpec[]
  /** Starts in progress that are still wanted. */
  readonly proceed: readonly ServerSpec[]
  readonly start: readonly ServerSpec[]
}

/** Equal for definitions that start the same server with the same rights. Contains secrets of the definition. */
export function definitionKey(spec: ServerSpec, authority: Authority): string {
  return `${specText(spec)} ${rightsKey(authority)}`
}

/** Equal for authorities with the same rights. */
export function rightsKey(authority: Authority): string {
  return authority.kind === 'local' ? `local ${authority.workspaceFolder}` : authority.kind
}

/** Plans the change to the wanted servers. Throws a `ConfigError` when two of them have the same name. */
export function planChange(
  { running, starting }: { readonly running: readonly Known[]; readonly starting: readonly Known[] },
  wanted: readonly ServerSpec[],
  keyOf: (spec: ServerSpec) => string,
): Plan {
  refuseRepeatedNames(wanted)
  const [runningKeys, startingKeys] = [keysOf(running), keysOf(starting)]
  const keep = wanted.filter((spec) => runningKeys.get(spec.name) === keyOf(spec))
  const others = wanted.filter((spec) => !keep.includes(spec))
  const proceed = others.filter((spec) => startingKeys.get(spec.name) === keyOf(spec))
  return { keep, proceed, start: others.filter((spec) => !proceed.includes(spec)) }
}

function keysOf(known: readonly Known[]): ReadonlyMap<string, string> {
  return new Map(known.map(({ name, key }) => [name, key]))
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
