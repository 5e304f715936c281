import { readFile } from 'node:fs/promises'
import { basename, resolve as resolvePath, sep } from 'node:path'
import { safeEnv } from '@toolbridge/client/stdio'
import { isRecord } from '../../record.ts'
import { brokenIssue } from './broken-variable-issue.ts'
import { dialectNamed } from '../dialects/all.ts'
import { syntaxOf } from '../fields/entry-reader.ts'
import type { Issue } from '../spec/issue.ts'
import { configFolderOf, homeOf, issueOf, notForSession, type Scope, workspaceOf } from './resolve-context.ts'
import type { SlotName } from '../spec/spec-fields.ts'
import { printPiece } from '../variables/variable-syntaxes.ts'
import { type Piece, parseVariables, printVariables, type Variable } from '../variables/variables.ts'

/** A field of a definition: its JSON pointer inside the entry, and what it is. */
export interface ExpansionPlace {
  readonly path: string
  readonly slot: SlotName
}

export interface Expansion {
  readonly text: string
  /** The text was made of variables alone, and none of them is set. */
  readonly isOnlyUnsetVariables: boolean
  /** A variable is not set, and the dialect then leaves the whole value out. */
  readonly isDropped: boolean
  /** A variable could not be understood or may not be used; the text means nothing. */
  readonly isBroken: boolean
  /** What was put in place of variables and may be a secret. */
  readonly drawn: readonly string[]
  readonly issues: readonly Issue[]
}

/** Replaces the variables of one field, once: what they are replaced by is never looked at again. */
export async function expand(value: string, place: ExpansionPlace, scope: Scope): Promise<Expansion> {
  const parts: Part[] = []
  // In turn, since a variable may be a question to a person.
  for (const piece of parseVariables(value)) parts.push(await expandPiece(piece, place, scope))
  const issues = parts.flatMap((part) => part.issue ?? [])
  const isUnset = parts.some((part) => part.text === undefined)
  return {
    text: parts.map((part) => part.text ?? '').join(''),
    isOnlyUnsetVariables: parts.length > 0 && parts.every((part) => part.text === undefined),
    isDropped: isUnset && scope.policy['vars.unset'] === 'drop',
    isBroken: issues.some(({ severity }) => severity === 'error'),
    drawn: parts.flatMap((part) => (part.isDrawn === true && part.text !== undefined ? [part.text] : [])),
    issues,
  }
}

interface Part {
  readonly text?: string
  readonly isDrawn?: boolean
  readonly issue?: Issue
}

async function expandPiece(piece: Piece, place: ExpansionPlace, scope: Scope): Promise<Part> {
  switch (piece.kind) {
    case 'text':
      return { text: piece.text }
    case 'env':
      return expandEnv(piece, place, scope)
    case 'place':
      return expandPlace(piece, place, scope)
    case 'file':
      return expandFile(piece, place, scope)
    case 'input':
      return expandInput(piece, place, scope)
    case 'secret':
      return expandSecret(piece, place, scope)
    case 'context':
      return expandContext(piece, place, scope)
    case 'unknown':
    case 'nested':
    case 'cyclic':
    case 'unterminated':
      return { issue: brokenIssue(piece, place.path, scope) }
  }
}

function expandEnv(piece: Variable & { readonly kind: 'env' }, place: ExpansionPlace, scope: Scope): Part {
  const { authority } = scope
  if (authority.kind === 'session')
    return { issue: notForSession(scope, place.path, `\${env:${piece.name}}`) }
  const value = authority.env[piece.name]
  if (piece.fallback !== undefined && !value) return { text: piece.fallback }
  return value === undefined
    ? unset(piece, place, scope)
    : { text: value, isDrawn: mayBeSecret(piece.name, value) }
}

/** What every program gets anyway is no secret, and to hide a path or a language would hide what happened. */
function mayBeSecret(name: string, value: string): boolean {
  return !Object.hasOwn(safeEnv({ [name]: value }, process.platform), name)
}

/** What a variable that is not set means is the dialect's choice. */
function unset(piece: Variable, place: ExpansionPlace, scope: Scope): Part {
  const policy = scope.policy['vars.unset']
  const written = asWritten(piece, place, scope)
  const withDefault = piece.kind === 'env' ? inWordsOf({ ...piece, fallback: '…' }, place, scope) : undefined
  const issue = issueOf(scope, place.path, {
    code: 'variable_unset',
    severity: policy === 'error' ? 'error' : 'warning',
    message: `uses ${written}, which is not set`,
    fix: `set ${piece.name}${withDefault === undefined ? '' : `, or give it a default: ${withDefault}`}`,
  })
  return policy === 'keep' ? { text: written, issue } : { issue }
}

/** The reference as the author wrote it. */
function asWritten(piece: Variable, place: ExpansionPlace, scope: Scope): string {
  return inWordsOf(piece, place, scope) ?? printVariables([piece])
}

/** The reference in the syntax of the dialect; undefined where that has no words for it. */
function inWordsOf(piece: Variable, { slot }: ExpansionPlace, { spec }: Scope): string | undefined {
  const dialect = spec.dialect === undefined ? undefined : dialectNamed(spec.dialect)
  const syntax = dialect === undefined ? 'canonical' : syntaxOf(dialect.variables, slot, process.platform)
  return syntax === 'canonical' ? printVariables([piece]) : printPiece(piece, syntax)
}

function expandPlace(
  { name }: Variable & { readonly kind: 'place' },
  { path }: ExpansionPlace,
  scope: Scope,
): Part {
  const { authority } = scope
  if (authority.kind === 'session') return { issue: notForSession(scope, path, `\${${name}}`) }
  switch (name) {
    case 'workspaceFolder':
      return { text: written(workspaceOf(scope, authority), scope) }
    case 'workspaceFolderBasename':
      return { text: basename(workspaceOf(scope, authority)) }
    case 'configFolder':
      return { text: configFolderOf(scope, authority) }
    case 'userHome':
      return { text: homeOf(authority) }
    case 'pathSeparator':
      return { text: sep }
  }
}

/** A backslash is part of a name wherever paths do not begin like those of Windows. */
function written(path: string, { policy }: Scope): string {
  const isOfWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)
  return policy['vars.paths'] === 'slashes' && isOfWindows ? path.replaceAll('\\', '/') : path
}

async function expandFile(
  piece: Variable & { readonly kind: 'file' },
  place: ExpansionPlace,
  scope: Scope,
): Promise<Part> {
  const { authority, options } = scope
  if (authority.kind === 'session') return { issue: notForSession(scope, place.path, '${file:…}') }
  const path = piece.name.replace(/^~(?=[\\/])/, () => homeOf(authority))
  const { signal } = options
  try {
    const text = await readFile(resolvePath(configFolderOf(scope, authority), path), {
      encoding: 'utf8',
      ...(signal === undefined ? {} : { signal }),
    })
    return { text: text.trim(), isDrawn: true }
  } catch {
    signal?.throwIfAborted()
    const isKept = scope.policy['vars.file'] === 'keep'
    const issue = issueOf(scope, place.path, {
      code: 'file_unreadable',
      severity: isKept ? 'warning' : 'error',
      message: 'uses a file that cannot be read',
      fix: 'correct the path, or create the file',
    })
    return isKept ? { text: asWritten(piece, place, scope), issue } : { issue }
  }
}

async function expandInput(
  { name }: Variable & { readonly kind: 'input' },
  place: ExpansionPlace,
  scope: Scope,
): Promise<Part> {
  const { spec, options } = scope
  const known = spec.inputs?.find(({ id }) => id === name) ?? { id: name }
  const text = (await ask(scope, { ...known, kind: 'input' })) ?? known.default
  if (text !== undefined) return { text, isDrawn: text !== known.default }
  return {
    issue: issueOf(scope, place.path, {
      code: 'input_missing',
      severity: 'error',
      message: `asks for \${input:${name}}, and there is no answer`,
      fix: options.inputs === undefined ? 'write ${env:NAME} instead, and set NAME' : 'answer the question',
    }),
  }
}

async function expandSecret(
  piece: Variable & { readonly kind: 'secret' },
  place: ExpansionPlace,
  scope: Scope,
): Promise<Part> {
  const { authority } = scope
  const kept = await ask(scope, { id: piece.name, isSecret: true, kind: 'secret' })
  const text = kept ?? (authority.kind === 'local' ? authority.env[piece.name] : undefined)
  return text === undefined ? unset(piece, place, scope) : { text, isDrawn: true }
}

async function ask(
  { spec, options: { inputs, signal } }: Scope,
  request: Omit<Parameters<NonNullable<Scope['options']['inputs']>['answer']>[0], 'server'>,
): Promise<string | undefined> {
  signal?.throwIfAborted()
  return inputs?.answer({ ...request, server: spec.name }, signal === undefined ? {} : { signal })
}

function expandContext(
  piece: Variable & { readonly kind: 'context' },
  place: ExpansionPlace,
  scope: Scope,
): Part {
  const found = piece.name
    .split('.')
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      scope.options.context,
    )
  const isText = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
  return isText ? { text: String(found) } : unset(piece, place, scope)
}
