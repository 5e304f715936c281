import { readRegularFile } from '../documents/read-regular-file.ts'
import { basename, resolve as resolvePath, sep } from 'node:path'
import { isJsonObject } from '@toolbridge/client/internal'
import { safeEnv } from '@toolbridge/client/stdio'
import { dialectNamed } from '../dialects/all.ts'
import { syntaxOf } from '../fields/entry-reader.ts'
import type { InputRequest } from '../spec/input-spec.ts'
import type { Issue } from '../spec/issue.ts'
import type { SpecFieldName } from '../spec/spec-fields.ts'
import { printPiece } from '../variables/variable-syntaxes.ts'
import { type Piece, parseVariables, printVariables, type Variable } from '../variables/variables.ts'
import { brokenVariableIssue } from './broken-variable-issue.ts'
import { inputDestination } from './input-destination.ts'
import {
  configFolderOf,
  homeFolderOf,
  issueOf,
  notForSession,
  type ResolveContext,
  workspaceFolderOf,
} from './resolve-context.ts'

/** The field whose text is expanded: its JSON pointer in the entry and its canonical name. */
export interface ExpandedField {
  readonly path: string
  readonly specField: SpecFieldName
}

export interface Expansion {
  readonly text: string
  /** The text consists of variables only, and none of them is set. */
  readonly isOnlyUnsetVariables: boolean
  /** A variable is not set, and the dialect omits the value. */
  readonly isDropped: boolean
  /** A variable is invalid or not allowed; the text must not be used. */
  readonly isBroken: boolean
  /** Values of variables that may be secrets. */
  readonly sensitiveValues: readonly string[]
  readonly issues: readonly Issue[]
}

/** Replaces the variables of one field. Values of variables are not expanded again. */
export async function expandVariables(
  value: string,
  location: ExpandedField,
  context: ResolveContext,
): Promise<Expansion> {
  const parts: Part[] = []
  // In sequence: a variable may be a question to a person.
  for (const piece of parseVariables(value)) parts.push(await expandPiece(piece, location, context))
  const issues = parts.flatMap((part) => part.issue ?? [])
  const isUnset = parts.some((part) => part.text === undefined)
  return {
    text: parts.map((part) => part.text ?? '').join(''),
    isOnlyUnsetVariables: parts.length > 0 && parts.every((part) => part.text === undefined),
    isDropped: isUnset && context.policy['vars.unset'] === 'drop',
    isBroken: issues.some(({ severity }) => severity === 'error'),
    sensitiveValues: parts.flatMap((part) =>
      part.isSensitive === true && part.text !== undefined ? [part.text] : [],
    ),
    issues,
  }
}

interface Part {
  readonly text?: string
  readonly isSensitive?: boolean
  readonly issue?: Issue
}

async function expandPiece(piece: Piece, location: ExpandedField, context: ResolveContext): Promise<Part> {
  switch (piece.kind) {
    case 'text':
      return { text: piece.text }
    case 'env':
      return expandEnv(piece, location, context)
    case 'predefined':
      return expandPredefined(piece, location, context)
    case 'file':
      return expandFile(piece, location, context)
    case 'input':
      return expandInput(piece, location, context)
    case 'secret':
      return expandSecret(piece, location, context)
    case 'context':
      return expandContext(piece, location, context)
    case 'unknown':
    case 'nested':
    case 'cyclic':
    case 'unterminated':
      return { issue: brokenVariableIssue(piece, location.path, context) }
  }
}

async function expandEnv(
  piece: Variable & { readonly kind: 'env' },
  location: ExpandedField,
  context: ResolveContext,
): Promise<Part> {
  const { authority } = context
  if (authority.kind === 'session')
    return { issue: notForSession(context, location.path, `\${env:${piece.name}}`) }
  const from = context.policy['secrets.env']
  const own = from === 'store' ? undefined : authority.env[piece.name]
  const isStored = from !== 'process' && own === undefined
  const value = isStored ? await ask(context, { id: piece.name, isSecret: true, kind: 'secret' }) : own
  const isUnset = value === undefined || (value === '' && context.policy['vars.default'] === 'empty')
  if (piece.fallback !== undefined && isUnset) return { text: piece.fallback }
  return value === undefined
    ? unset(piece, location, context)
    : { text: value, isSensitive: isStored || mayBeSecret(piece.name, value) }
}

/** Variables that every program inherits are not secrets; redacting paths or locales would hide useful information. */
function mayBeSecret(name: string, value: string): boolean {
  return !Object.hasOwn(safeEnv({ [name]: value }, process.platform), name)
}

/** The dialect decides how an unset variable is treated. */
function unset(piece: Variable, location: ExpandedField, context: ResolveContext): Part {
  const policy = context.policy['vars.unset']
  const written = asWritten(piece, location, context)
  const withDefault =
    piece.kind === 'env' ? inDialectSyntax({ ...piece, fallback: '…' }, location, context) : undefined
  const issue = issueOf(context, location.path, {
    code: 'variable_unset',
    severity: policy === 'error' ? 'error' : 'warning',
    message: `uses ${written}, which is not set`,
    fix: `set ${piece.name}${withDefault === undefined ? '' : `, or give it a default: ${withDefault}`}`,
  })
  return policy === 'keep' ? { text: written, issue } : { issue }
}

/** The reference as written in the file. */
function asWritten(piece: Variable, location: ExpandedField, context: ResolveContext): string {
  return inDialectSyntax(piece, location, context) ?? printVariables([piece])
}

/** The reference in the syntax of the dialect, or undefined if it cannot be expressed. */
function inDialectSyntax(
  piece: Variable,
  { specField }: ExpandedField,
  { spec }: ResolveContext,
): string | undefined {
  const dialect = spec.dialect === undefined ? undefined : dialectNamed(spec.dialect)
  const syntax =
    dialect === undefined ? 'canonical' : syntaxOf(dialect.variables, specField, process.platform)
  return syntax === 'canonical' ? printVariables([piece]) : printPiece(piece, syntax)
}

function expandPredefined(
  { name }: Variable & { readonly kind: 'predefined' },
  { path }: ExpandedField,
  context: ResolveContext,
): Part {
  const { authority } = context
  if (authority.kind === 'session') return { issue: notForSession(context, path, `\${${name}}`) }
  switch (name) {
    case 'workspaceFolder':
      return { text: written(workspaceFolderOf(context, authority), context) }
    case 'workspaceFolderBasename':
      return { text: basename(workspaceFolderOf(context, authority)) }
    case 'configFolder':
      return { text: configFolderOf(context, authority) }
    case 'userHome':
      return { text: homeFolderOf(authority) }
    case 'pathSeparator':
      return { text: sep }
  }
}

/** Backslashes are separators only in Windows paths. */
function written(path: string, { policy }: ResolveContext): string {
  const isOfWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)
  return policy['vars.paths'] === 'slashes' && isOfWindows ? path.replaceAll('\\', '/') : path
}

async function expandFile(
  piece: Variable & { readonly kind: 'file' },
  location: ExpandedField,
  context: ResolveContext,
): Promise<Part> {
  const { authority, options } = context
  if (authority.kind === 'session') return { issue: notForSession(context, location.path, '${file:…}') }
  const path = piece.name.replace(/^~(?=[\\/])/, () => homeFolderOf(authority))
  const { signal } = options
  try {
    const text = await readRegularFile(resolvePath(configFolderOf(context, authority), path))
    return { text: text.toString().trim(), isSensitive: true }
  } catch {
    signal?.throwIfAborted()
    const isKept = context.policy['vars.file'] === 'keep'
    const issue = issueOf(context, location.path, {
      code: 'file_unreadable',
      severity: isKept ? 'warning' : 'error',
      message: 'uses a file that cannot be read',
      fix: 'correct the path, or create the file',
    })
    return isKept ? { text: asWritten(piece, location, context), issue } : { issue }
  }
}

async function expandInput(
  { name }: Variable & { readonly kind: 'input' },
  location: ExpandedField,
  context: ResolveContext,
): Promise<Part> {
  const { spec, options } = context
  const known = spec.inputs?.find(({ id }) => id === name) ?? { id: name }
  const text = (await ask(context, { ...known, kind: 'input' })) ?? known.default
  if (text !== undefined) return { text, isSensitive: text !== known.default }
  return {
    issue: issueOf(context, location.path, {
      code: 'input_missing',
      severity: 'error',
      message: `uses \${input:${name}}, which has no value`,
      fix: options.inputs === undefined ? 'write ${env:NAME} instead, and set NAME' : 'answer the question',
    }),
  }
}

async function expandSecret(
  piece: Variable & { readonly kind: 'secret' },
  location: ExpandedField,
  context: ResolveContext,
): Promise<Part> {
  const { authority } = context
  const kept = await ask(context, { id: piece.name, isSecret: true, kind: 'secret' })
  const text = kept ?? (authority.kind === 'local' ? authority.env[piece.name] : undefined)
  return text === undefined ? unset(piece, location, context) : { text, isSensitive: true }
}

async function ask(
  { spec, options: { inputs, signal } }: ResolveContext,
  request: Omit<InputRequest, 'server' | 'destination'>,
): Promise<string | undefined> {
  signal?.throwIfAborted()
  const destination = inputDestination(spec, request.id)
  return inputs?.answer(
    { ...request, server: spec.name, destination },
    signal === undefined ? {} : { signal },
  )
}

function expandContext(
  piece: Variable & { readonly kind: 'context' },
  location: ExpandedField,
  context: ResolveContext,
): Part {
  const found = piece.name
    .split('.')
    .reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      context.options.context,
    )
  const isText = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
  return isText ? { text: String(found) } : unset(piece, location, context)
}
