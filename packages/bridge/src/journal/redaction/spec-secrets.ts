import { Buffer } from 'node:buffer'
import { safeEnv } from '@toolbridge/client/stdio'
import { isJsonObject } from '@toolbridge/client/internal'
import type { HttpServerSpec, ResolvedSpec, StdioServerSpec } from '../../config/spec/server-spec.ts'

/**
 * The secrets of a definition: environment, headers, credentials in its URL and arguments, and values of variables. Also
 * their parts: a server may repeat a token without its scheme, or one line of a key.
 */
export function specSecrets(spec: ResolvedSpec): readonly string[] {
  const values = spec.transport === 'stdio' ? processSecrets(spec) : remoteSecrets(spec)
  return [...values, ...(spec.sensitiveValues ?? [])]
}

/** The values of headers, and their parts. */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => {
    const words = value.split(/[\s;,]+/)
    const parts = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
    const [scheme = '', credentials = ''] = words
    return [value, ...parts, ...(/^basic$/i.test(scheme) ? basicParts(credentials) : [])]
  })
}

/** Variables that every program gets are not secrets. */
function processSecrets({ env, args }: StdioServerSpec): readonly string[] {
  const harmless = safeEnv(env, process.platform)
  const names = Object.keys(env).filter((name) => !Object.hasOwn(harmless, name))
  const values = names.map((name) => env[name] ?? '')
  return [
    ...values.flatMap((value) => [value, ...linesOf(value), ...innerSecrets(value)]),
    ...args.flatMap((arg, index) => argumentSecrets(arg, args[index + 1] ?? '')),
  ]
}

function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n]+/)
}

const tellingName = /token|key|secret|password|passwd|pwd|auth|credential|cookie/i
const tellingFlag = /^--?[\w-]*(?:token|key|secret|password|passwd|pwd|auth|credential)[\w-]*/i

/** The value of a secret flag, as the next argument or after `=`, else what is secret in the argument itself. */
function argumentSecrets(arg: string, next: string): readonly string[] {
  const [flag = ''] = tellingFlag.exec(arg) ?? []
  if (flag === '') return innerSecrets(arg)
  if (arg.startsWith('=', flag.length)) return [arg.slice(flag.length + 1)]
  return arg === flag && !next.startsWith('-') ? [next] : []
}

/**
 * The secrets in a value: the password of a URL, as for databases, and what has a telling name, as in `-e API_KEY=…` of
 * Docker, connection strings, `--header "Authorization: …"` and JSON.
 */
function innerSecrets(text: string): readonly string[] {
  const header = /(?:^|=)\s*([A-Za-z][\w-]*)\s*:/.exec(text)
  const [opening = '', headerName = ''] = header ?? []
  const value = text.slice((header?.index ?? 0) + opening.length).trimStart()
  return [
    ...[...text.matchAll(/:\/\/([^\s/?#]+)@/g)].flatMap(([, user = '']) => urlPassword(user)),
    ...[...text.matchAll(/(?<=^|[?&;,\s])([\w.-]+)\s*=\s*([^\s;&,]+)/g)].flatMap(
      ([, name = '', assigned = '']) => (tellingName.test(name) ? [assigned, decoded(assigned)] : []),
    ),
    ...(tellingName.test(headerName) && value !== '' ? headerSecrets({ [headerName]: value }) : []),
    ...jsonSecrets(text),
  ]
}

/** A user without a password is a token. */
function urlPassword(user: string): readonly string[] {
  const password = user.slice(user.indexOf(':') + 1)
  return [password, decoded(password)]
}

function jsonSecrets(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    return tellingLeaves(JSON.parse(text), false, 0)
  } catch {
    return []
  }
}

const maxDepth = 32

function tellingLeaves(value: unknown, isTelling: boolean, depth: number): readonly string[] {
  if (typeof value === 'string') return isTelling ? [value, ...linesOf(value)] : []
  if (depth > maxDepth) return []
  if (Array.isArray(value)) return value.flatMap((item) => tellingLeaves(item, isTelling, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    tellingLeaves(item, isTelling || tellingName.test(name), depth + 1),
  )
}

function remoteSecrets({ url, headers, auth }: HttpServerSpec): readonly string[] {
  const { username, password, pathname, searchParams } = new URL(url)
  return [
    ...headerSecrets(headers),
    auth?.clientSecret ?? '',
    ...[username, password].map(decoded),
    ...searchParams.values(),
    ...pathname.split('/').filter(isKeyLike),
  ]
}

/** Some services put the key into the path, as a long segment that is not a word. */
function isKeyLike(segment: string): boolean {
  return segment.length >= 20 && /\d/.test(segment) && /[A-Za-z]/.test(segment)
}

function basicParts(encoded: string): readonly string[] {
  const text = Buffer.from(encoded, 'base64').toString()
  return [text, text.slice(text.indexOf(':') + 1)]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
