import { homedir } from 'node:os'
import { basename, dirname, isAbsolute } from 'node:path'
import { dialectNamed } from '../dialects/all.ts'
import type { Issue } from '../spec/issue.ts'
import { defaultPolicy, type Policy, setPolicies } from '../spec/policy.ts'
import type { Authority, ServerSpec } from '../spec/server-spec.ts'
import { type SpecFieldName, specFieldPaths } from '../spec/spec-fields.ts'
import type { ResolveOptions } from './resolve-options.ts'

/** Context for resolving one definition. */
export interface ResolveContext {
  readonly spec: ServerSpec
  readonly authority: Authority
  readonly options: ResolveOptions
  readonly policy: Policy
}

export function resolveContextOf(
  spec: ServerSpec,
  authority: Authority,
  options: ResolveOptions,
): ResolveContext {
  return { spec, authority, options, policy: { ...defaultPolicy, ...setPolicies(spec, options.policy) } }
}

type LocalAuthority = Authority & { readonly kind: 'local' }

/** The workspace of a definition: the parent of the host's folder, or the workspace of the user. */
export function workspaceFolderOf({ spec, policy }: ResolveContext, authority: LocalAuthority): string {
  const folder = dirname(spec.source.file)
  const isInside = isAbsolute(spec.source.file) && policy['vars.workspace'].includes(basename(folder))
  return isInside ? dirname(folder) : authority.workspaceFolder
}

/** The folder of the configuration file, or the workspace if the definition is not from a file. */
export function configFolderOf(context: ResolveContext, authority: LocalAuthority): string {
  const { file } = context.spec.source
  return isAbsolute(file) ? dirname(file) : workspaceFolderOf(context, authority)
}

/** The folder that relative paths of a definition start from. */
export function baseFolderOf(context: ResolveContext, authority: LocalAuthority): string {
  const isBesideFile = context.policy['paths.base'] === 'config-folder'
  return isBesideFile ? configFolderOf(context, authority) : workspaceFolderOf(context, authority)
}

export function homeFolderOf({ env }: LocalAuthority): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir()
}

/** Creates an issue about a field of the definition. Messages never contain values. */
export function issueOf(
  { spec }: ResolveContext,
  path: string,
  finding: Pick<Issue, 'code' | 'severity' | 'message' | 'fix'>,
): Issue {
  const { name, source } = spec
  const { file, pointer, line, column } = source
  const written = writtenPath(spec, path)
  return {
    ...finding,
    file,
    path: pointer + written,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    message: `server "${name}": ${written.slice(1)} ${finding.message}`,
  }
}

/** The path of a field under the name that its dialect uses, if exactly one field of the dialect maps to it. */
function writtenPath({ dialect = '' }: ServerSpec, path: string): string {
  const [, specField = '', ...rest] = path.split('/')
  const fields = dialectNamed(dialect)?.fields ?? {}
  const names = Object.entries(fields).flatMap(([key, { specFields }]) =>
    isOnly(specFields, specField) ? [key] : [],
  )
  const [only = specField] = names.length === 1 ? names : []
  return ['', only, ...rest].join('/')
}

function isOnly([specField, ...others]: readonly SpecFieldName[], name: string): boolean {
  return specField !== undefined && others.length === 0 && specFieldPaths[specField] === name
}

const belongsHere = 'belongs to the machine that runs the server'

/** The issue about something that session authority may not use. */
export function notForSession(context: ResolveContext, path: string, what: string): Issue {
  return issueOf(context, path, {
    code: 'not_for_session',
    severity: 'error',
    message: `uses ${what}, which ${belongsHere}`,
    fix: 'write the value itself; it is stored encrypted',
  })
}
