import { readRegularFile } from '../documents/read-regular-file.ts'
import { delimiter, resolve as resolvePath } from 'node:path'
import { safeEnv } from '@toolbridge/client/stdio'
import { parseEnvFile } from '../documents/env-file.ts'
import type { Issue } from '../spec/issue.ts'
import type { Authority, StdioServerSpec } from '../spec/server-spec.ts'
import { baseFolderOf, issueOf, notForSession, type ResolveContext } from './resolve-context.ts'

/** The environment of a program. */
export interface ResolvedEnvironment {
  readonly env: Readonly<Record<string, string>>
  /** `none` if `env` already contains the inherited variables. */
  readonly inheritEnv: 'safe' | 'none'
}

type Env = Readonly<Record<string, string>>
type Report = (issue: Issue) => void

/**
 * Builds the environment of a program. In increasing precedence: inherited variables without those that are unset,
 * variables inherited by name, the env file, and the entry. A session inherits only safe variables.
 */
export async function resolveEnvironment(
  spec: StdioServerSpec,
  own: Env,
  envFile: string | undefined,
  context: ResolveContext,
  report: Report,
): Promise<ResolvedEnvironment> {
  const { authority } = context
  if (authority.kind === 'session') {
    refuseForSession(spec, context, report)
    return { env: own, inheritEnv: spec.inheritEnv === 'none' ? 'none' : 'safe' }
  }
  const inheritEnv = spec.inheritEnv ?? context.policy['env.inherit']
  const fromFile = envFile === undefined ? {} : await readEnvFile(envFile, authority, context, report)
  const byName = pick(authority, spec.inheritNames ?? [], context, report)
  const above = { ...byName, ...fromFile, ...own }
  const base = inherited(authority, inheritEnv)
  const path = appendedPath(own, base, context)
  const unset = new Set(spec.unsetEnv)
  const isPlain = inheritEnv !== 'all' && unset.size === 0 && path === undefined
  if (isPlain) return { env: above, inheritEnv }
  const kept = Object.fromEntries(Object.entries(base).filter(([name]) => !unset.has(name)))
  return { env: { ...kept, ...above, ...path }, inheritEnv: 'none' }
}

function refuseForSession(spec: StdioServerSpec, context: ResolveContext, report: Report): void {
  if (spec.inheritEnv === 'all') report(notForSession(context, '/inheritEnv', 'the whole environment'))
  if ((spec.inheritNames ?? []).length > 0)
    report(notForSession(context, '/inheritNames', 'environment variables'))
  if (spec.envFile !== undefined) report(notForSession(context, '/envFile', 'a file'))
}

type LocalAuthority = Authority & { readonly kind: 'local' }

function inherited({ env }: LocalAuthority, how: 'safe' | 'all' | 'none'): Env {
  if (how === 'none') return {}
  if (how === 'safe') return safeEnv(env, process.platform)
  // Old shells export functions as values that start with "()"; a child shell would run them.
  const usable = Object.entries(env).filter(([, value]) => value !== undefined && !value.startsWith('()'))
  return Object.fromEntries(usable.map(([name, value]) => [name, value ?? '']))
}

function pick(
  { env }: LocalAuthority,
  names: readonly string[],
  context: ResolveContext,
  report: Report,
): Env {
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = env[name]
      if (value !== undefined) return [[name, value]]
      report(
        issueOf(context, `/inheritNames/${index}`, {
          code: 'variable_unset',
          severity: 'warning',
          message: `inherits ${name}, which is not set`,
          fix: `set ${name}`,
        }),
      )
      return []
    }),
  )
}

async function readEnvFile(
  file: string,
  authority: LocalAuthority,
  context: ResolveContext,
  report: Report,
): Promise<Env> {
  const { signal } = context.options
  try {
    const path = resolvePath(baseFolderOf(context, authority), file)
    const text = await readRegularFile(path)
    return Object.fromEntries(parseEnvFile(text.toString()))
  } catch {
    signal?.throwIfAborted()
    report({
      ...issueOf(context, '/envFile', {
        code: 'env_file_missing',
        severity: 'error',
        message: 'is a file that cannot be read',
        fix: 'create the file, or correct the path, which is relative to the workspace',
      }),
      found: 'no readable file',
      expected: 'a file of NAME=value lines',
    })
    return {}
  }
}

/** Some hosts append to `PATH` instead of replacing it. */
function appendedPath(own: Env, base: Env, { policy }: ResolveContext): Env | undefined {
  const name = Object.keys(own).find((each) => each.toUpperCase() === 'PATH')
  const before = Object.entries(base).find(([each]) => each.toUpperCase() === 'PATH')?.[1]
  if (name === undefined || policy['env.path'] !== 'append' || before === undefined) return undefined
  return { [name]: `${before}${delimiter}${own[name] ?? ''}` }
}
