import { safeEnv } from '@toolbridge/client/stdio'
import { ConfigError } from '../../errors.ts'
import { dialectNamed } from '../dialects/all.ts'
import { type Resolution, resolveSpec } from '../resolve/resolve-spec.ts'
import { defaultTimeouts } from '../spec/default-timeouts.ts'
import type { Issue } from '../spec/issue.ts'
import { mayUseOAuth } from '../spec/may-use-oauth.ts'
import { policyOf } from '../spec/policy.ts'
import { isRequired, replaceOf, startOf } from '../spec/start-and-replace.ts'
import type {
  Authority,
  HttpServerSpec,
  ServerSpec,
  SpecTimeouts,
  StdioServerSpec,
} from '../spec/server-spec.ts'
import { findProgram } from './find-program.ts'
import type {
  EffectiveDefinition,
  EnvironmentReport,
  ProgramReport,
  VariableReport,
} from './server-report.ts'
import { isPlain, variablesIn, withoutDefaults, withoutKeys } from './written-values.ts'

/** What the values of a definition are looked up in. */
export interface DefinitionContext {
  readonly authority: Authority
  readonly timeouts?: SpecTimeouts
  /** Whether files that the entry names may be looked at. A path of a stranger can be one on another machine. */
  readonly isTrusted: boolean
}

/** A definition in effect, and the errors that prevent its start. */
export interface CheckedDefinition {
  readonly definition: EffectiveDefinition
  readonly errors: readonly Issue[]
}

/** Finds out what a definition amounts to. Reads the files that it refers to, but runs nothing and asks nobody. */
export async function checkDefinition(
  spec: ServerSpec,
  context: DefinitionContext,
): Promise<CheckedDefinition> {
  const resolved = context.isTrusted ? await resolveQuietly(spec, context) : []
  const own =
    spec.transport === 'stdio'
      ? { program: await programOf(spec, resolved, context), environment: environmentOf(spec) }
      : remoteParts(spec)
  const definition = { transport: spec.transport, ...own, ...commonParts(spec, context) }
  return { definition, errors: Array.isArray(resolved) ? resolved : [] }
}

/** Inputs are answered with a placeholder, which may be an invalid value where a URL is expected. */
async function resolveQuietly(
  spec: ServerSpec,
  { authority }: DefinitionContext,
): Promise<Resolution | Issue[]> {
  const inputs = { answer: async ({ kind }: { kind: string }) => (kind === 'input' ? 'input' : undefined) }
  const hasInputs = variablesIn(spec).some(({ kind }) => kind === 'input')
  try {
    return await resolveSpec(withoutHelper(spec), authority, { inputs })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.issues.filter(
      ({ severity, code }) => severity === 'error' && !(hasInputs && code === 'value_invalid'),
    )
  }
}

function withoutHelper(spec: ServerSpec): ServerSpec {
  if (spec.transport === 'stdio') return spec
  const { headersHelper: _helper, ...rest } = spec
  return rest
}

async function programOf(
  spec: StdioServerSpec,
  resolved: Resolution | Issue[],
  { authority, isTrusted }: DefinitionContext,
): Promise<ProgramReport> {
  const written = { command: withoutDefaults(spec.command), argumentCount: spec.args.length }
  if (authority.kind === 'session') return written
  const { platform } = process
  const inherited = safeEnv(authority.env, platform)
  if (!isTrusted) return { ...written, ...(await searchedProgram(spec, inherited)) }
  if (Array.isArray(resolved) || resolved.spec.transport !== 'stdio') return written
  const { command, env: own, inheritEnv, cwd = authority.workspaceFolder } = resolved.spec
  const env = inheritEnv === 'none' ? own : { ...inherited, ...own }
  const path = await findProgram(command, { env, cwd, platform })
  const isShown = path !== undefined && isPlain(spec.command) && isPlain(spec.cwd ?? '')
  return { ...written, ...(isShown ? { path } : {}), isFound: path !== undefined }
}

/** Searches a program only if it is a name in the `PATH` of the user. */
async function searchedProgram(
  { command, env: own }: StdioServerSpec,
  env: Readonly<Record<string, string>>,
): Promise<Pick<ProgramReport, 'path' | 'isFound'>> {
  const isName = /^[\w.-]+$/.test(command)
  if (!isName || Object.keys(own).some((name) => name.toUpperCase() === 'PATH')) return {}
  const path = await findProgram(command, { env, cwd: '/', platform: process.platform })
  return path === undefined ? {} : { path, isFound: true }
}

function environmentOf(spec: StdioServerSpec): EnvironmentReport {
  const { inheritNames = [], unsetEnv = [], env, envFile, dialect = '' } = spec
  const inherits = spec.inheritEnv ?? policyOf('env.inherit', spec)
  const { title = '', hostEnvironment } = dialectNamed(dialect) ?? {}
  const isSame = hostEnvironment === undefined || inherits === 'all'
  return {
    inherits,
    inheritsNames: inheritNames,
    removes: unsetEnv,
    sets: Object.keys(env),
    hasFile: envFile !== undefined,
    ...(isSame ? {} : { host: { title, inherits: hostEnvironment } }),
  }
}

function remoteParts(
  spec: HttpServerSpec,
): Pick<EffectiveDefinition, 'url' | 'headers' | 'hasHeadersHelper' | 'maySignIn'> {
  return {
    url: withoutKeys(spec.url),
    headers: Object.keys(spec.headers),
    hasHeadersHelper: spec.headersHelper !== undefined,
    maySignIn: mayUseOAuth(spec),
  }
}

function commonParts(
  spec: ServerSpec,
  { authority, timeouts }: DefinitionContext,
): Omit<EffectiveDefinition, 'transport'> {
  const { tools, readOnly = false, approval } = spec
  return {
    variables: variableReport(spec, authority),
    tools: { ...tools, readOnly },
    ...(approval === undefined ? {} : { approval }),
    timeouts: { ...defaultTimeouts, ...timeouts, ...spec.timeouts },
    start: startOf(spec),
    replace: replaceOf(spec),
    required: isRequired(spec),
  }
}

function variableReport(spec: ServerSpec, authority: Authority): VariableReport {
  const pieces = variablesIn(spec)
  const env = authority.kind === 'local' ? authority.env : {}
  const inherited = spec.transport === 'stdio' ? (spec.inheritNames ?? []) : []
  const used = pieces.flatMap((piece) =>
    piece.kind === 'env' && piece.fallback === undefined ? [piece.name] : [],
  )
  return {
    missing: unique([...used, ...inherited].filter((name) => env[name] === undefined)),
    missingBecomes: policyOf('vars.unset', spec),
    inputs: unique(pieces.flatMap((piece) => (piece.kind === 'input' ? [piece.name] : []))),
    secrets: unique(pieces.flatMap((piece) => (piece.kind === 'secret' ? [piece.name] : []))),
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
