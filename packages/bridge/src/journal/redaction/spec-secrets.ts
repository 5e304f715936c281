import { Buffer } from 'node:buffer'
import { safeEnv } from '@toolbridge/client/stdio'
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
  return [...values.flatMap((value) => [value, ...value.split(/[\r\n]+/)]), ...argumentSecrets(args)]
}

const tellingFlag = /^--?[\w-]*(?:token|key|secret|password|passwd|pwd|auth|credential)[\w-]*/i

/** The values of secret flags, as a separate argument or after `=`. */
function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [flag = ''] = tellingFlag.exec(arg) ?? []
    if (flag === '') return []
    if (arg.startsWith('=', flag.length)) return [arg.slice(flag.length + 1)]
    const next = args[index + 1] ?? ''
    return arg === flag && !next.startsWith('-') ? [next] : []
  })
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
