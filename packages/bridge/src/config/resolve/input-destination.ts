import { createHash } from 'node:crypto'
import { parsedUrl } from '@toolbridge/client/internal'
import type { InputDestination } from '../spec/input-spec.ts'
import { pointerTo } from '../spec/issue.ts'
import type { AuthSpec, ServerSpec } from '../spec/server-spec.ts'
import { parseVariables } from '../variables/variables.ts'

/** Where a definition uses the value of an input, secret or variable of this name. */
export function inputDestination(spec: ServerSpec, name: string): InputDestination {
  const fields = textsOf(spec).flatMap(([path, text]) => (usesVariable(text, name) ? [path] : []))
  return { target: targetOf(spec, fields), fields: fields.toSorted() }
}

/** The names of the secrets that a definition uses, sorted. */
export function secretsUsedBy(spec: ServerSpec): readonly string[] {
  const pieces = textsOf(spec).flatMap(([, text]) => parseVariables(text))
  const names = pieces.flatMap((piece) => (piece.kind === 'secret' ? [piece.name] : []))
  return [...new Set(names)].toSorted()
}

/** Where a definition sends the value of a field, which is named by its JSON pointer in the entry. */
export function fieldDestination(spec: ServerSpec, field: string): InputDestination {
  return { target: targetOf(spec, [field]), fields: [field] }
}

/** A value that fills the settings of a sign-in is also sent to the authorization server that they name. */
function targetOf(spec: ServerSpec, fields: readonly string[]): string {
  if (spec.transport === 'stdio') return `command ${digestOf([spec.command, ...spec.args])}`
  const isForSignIn = fields.some((field) => field.startsWith('/auth/'))
  const auth: AuthSpec = isForSignIn ? (spec.auth ?? {}) : {}
  const { metadataUrl, authorizationUrl, tokenUrl } = auth
  const endpoints = [metadataUrl, authorizationUrl, tokenUrl].flatMap((url) => url ?? [])
  return [originOf(spec.url), ...endpoints.map(endpointOf)].join(' ')
}

function originOf(url: string): string {
  const parsed = parsedUrl(url)
  if (parsed === undefined) return `url ${digestOf([url])}`
  const { protocol, hostname, port } = parsed
  return `${protocol}//${hostname}:${port === '' ? (defaultPorts[protocol] ?? '') : port}`
}

/** One host can have many issuers, which their paths tell apart. */
function endpointOf(url: string): string {
  return originOf(url) + (parsedUrl(url)?.pathname ?? '')
}

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
}

/** Texts are hashed as written, since their variables are the values that are asked for. */
function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** The texts in which variables are replaced, by JSON pointer. Names of headers have no case. */
function textsOf(spec: ServerSpec): readonly (readonly [string, string])[] {
  if (spec.transport === 'stdio') {
    const { command, args, env, cwd, envFile } = spec
    return textsIn('', { command, args, env, cwd, envFile })
  }
  const headers = Object.entries(spec.headers).map(([name, text]) => [name.toLowerCase(), text])
  return textsIn('', { url: spec.url, headers: Object.fromEntries(headers), auth: spec.auth })
}

function textsIn(path: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => textsIn(pointerTo(path, key), item))
}

function usesVariable(text: string, name: string): boolean {
  return parseVariables(text).some(
    (piece) =>
      (piece.kind === 'input' || piece.kind === 'secret' || piece.kind === 'env') && piece.name === name,
  )
}
