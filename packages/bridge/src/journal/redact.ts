import { McpError } from '@toolbridge/client'
import { safeEnv } from '@toolbridge/client/stdio'
import type { ResolvedSpec } from '../config/spec.ts'
import { isRecord } from '../record.ts'

/**
 * Takes the secrets of one definition out of an error: the same error where there is nothing to take out, else one like
 * it without its cause.
 */
export type Redact = (error: unknown) => unknown

/**
 * Redacts by value: what a definition hands to its server must not come back in an error or on stderr, whatever the
 * server thinks of its secrecy.
 */
export function createRedactor(spec: ResolvedSpec): Redact {
  const secrets = [...new Set(secretsOf(spec))].toSorted((a, b) => b.length - a.length)
  if (secrets.length === 0) return (error) => error
  const pattern = new RegExp(secrets.map(escaped).join('|'), 'g')
  return (error) => redactedError(error, (text) => text.replaceAll(pattern, mask))
}

type RedactText = (text: string) => string

const mask = '[redacted]'
const minSecretLength = 6

/** Values that everybody uses: hiding them would hide what happened and protect nothing. */
const commonValues: ReadonlySet<string> = new Set([
  '0.0.0.0',
  '127.0.0.1',
  'application/json',
  'basic',
  'bearer',
  'default',
  'development',
  'disabled',
  'enabled',
  'localhost',
  'no-cache',
  'production',
  'staging',
  'text/event-stream',
  'verbose',
  'warning',
])

function secretsOf(spec: ResolvedSpec): readonly string[] {
  return [...valuesOf(spec), ...(spec.drawn ?? [])]
    .flatMap((value) => [value, encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))])
    .filter((value) => value.length >= minSecretLength && !commonValues.has(value.toLowerCase()))
}

/** Also in parts: a server may say the token without its scheme, or one line of a key. */
function valuesOf(spec: ResolvedSpec): readonly string[] {
  switch (spec.transport) {
    case 'stdio': {
      // What every program gets anyway is no secret, and to hide it would hide what happened.
      const harmless = safeEnv(spec.env, process.platform)
      const values = Object.keys(spec.env).filter((name) => !Object.hasOwn(harmless, name))
      return values.flatMap((name) => [spec.env[name] ?? '', ...(spec.env[name] ?? '').split(/[\r\n]+/)])
    }
    case 'http':
    case 'sse':
    case 'ws': {
      const { username, password, searchParams } = new URL(spec.url)
      const headers = Object.values(spec.headers).flatMap((value) => [value, ...value.split(/\s+/)])
      return [...headers, spec.auth?.clientSecret ?? '', username, password, ...searchParams.values()]
    }
  }
}

function escaped(value: string): string {
  return value.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

function redactedError(error: unknown, text: RedactText): unknown {
  if (!(error instanceof Error)) return error
  const message = text(error.message)
  const isClean = message === error.message && redactedError(error.cause, text) === error.cause
  if (!(error instanceof McpError)) return isClean ? error : new Error(message)
  const data = redactedData(error.data, text, 0)
  if (isClean && JSON.stringify(data) === JSON.stringify(error.data)) return error
  const { kind, code } = error
  return new McpError(message, { kind, code, data })
}

/** Deeper than anything that is meant to be read. */
const maxDepth = 32

function redactedData(data: unknown, text: RedactText, depth: number): unknown {
  if (typeof data === 'string') return text(data)
  if (typeof data !== 'object' || data === null) return data
  if (depth === maxDepth) return mask
  if (Array.isArray(data)) return data.map((item) => redactedData(item, text, depth + 1))
  if (!isRecord(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [text(key), redactedData(value, text, depth + 1)]),
  )
}
