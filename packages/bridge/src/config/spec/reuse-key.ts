import { safeEnv } from '@toolbridge/client/stdio'
import { policyOf } from './policy.ts'
import type { Authority, ServerSpec, StdioServerSpec } from './server-spec.ts'
import { specText } from './spec-hash.ts'

/**
 * Returns a text that is equal for definitions that start the same program: as written, in the same file and folder, with
 * the same values of the environment variables that it inherits or may name. Start and timeouts are excluded. Undefined
 * for a server that another process cannot use instead of its own: remote and disabled servers, and those that ask for
 * inputs, limit their calls, print to the terminal or pin the revision. Contains secrets of the definition.
 */
export function reuseKey(spec: ServerSpec, authority: Authority): string | undefined {
  if (authority.kind !== 'local' || spec.transport !== 'stdio' || !isReusable(spec)) return undefined
  const { start: _start, timeouts: _timeouts, ...definition } = spec
  const text = specText(definition)
  if (/\$\{(?:input|secret):/.test(text)) return undefined
  return JSON.stringify([
    text,
    spec.source.file,
    authority.workspaceFolder,
    environmentOf(spec, text, authority.env),
  ])
}

function isReusable(spec: StdioServerSpec): boolean {
  const { enabled, inputs = [], maxConcurrency } = spec
  return (
    enabled &&
    inputs.length === 0 &&
    maxConcurrency === undefined &&
    policyOf('stderr', spec) !== 'inherit' &&
    policyOf('protocol.version', spec) === 'auto' &&
    policyOf('secrets.env', spec) === 'process'
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/** A word of the definition that is the name of a variable counts as a reference, in whatever syntax. */
function environmentOf(spec: StdioServerSpec, text: string, env: Environment): readonly unknown[] {
  const inheritsAll = (spec.inheritEnv ?? policyOf('env.inherit', spec)) === 'all'
  const inherited = inheritsAll ? env : safeEnv(env, process.platform)
  const words = text.match(/\w+/g) ?? []
  const names = new Set([...Object.keys(inherited), ...words.filter((word) => Object.hasOwn(env, word))])
  // A program without a terminal does not use its type.
  names.delete('TERM')
  return [...names].toSorted().map((name) => [name, env[name]])
}
