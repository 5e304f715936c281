import { type McpAuthorization, McpError, McpUnauthorizedError } from '@toolbridge/client'
import { isAuthError } from '../../auth-error.ts'
import type { ResolvedSpec } from '../../config/spec/server-spec.ts'
import { isJsonObject } from '@toolbridge/client/internal'
import { mapTexts } from '../../text/map-texts.ts'
import { Redaction } from './redaction.ts'
import { Secrets } from './secrets.ts'
import { headerSecrets, specSecrets } from './spec-secrets.ts'

/**
 * Removes the secrets of one definition from an error. Returns the same error if there are none, else a copy without its
 * cause.
 */
export type Redact = (error: unknown) => unknown

export type RedactText = (text: string) => string

/** Redaction for one connection. */
export interface Redactor {
  readonly redact: Redact
  /** Removes the secrets that `redact` removes from a text. */
  readonly redactText: RedactText
  /** Removes the secrets of the definition from the texts of a tool, resource or prompt. */
  readonly redactListed: <T>(listed: T) => T
  /** Removes the secrets of the definition from a line that the server printed. */
  readonly redactLine: (line: string) => string
  /** Wraps an authorization so that its tokens are redacted as well. */
  readonly watched: (authorization: McpAuthorization) => McpAuthorization
}

/**
 * Creates the redaction of a definition, by value: nothing that a definition passes to its server may come back in an
 * error or on stderr. The secrets are added to those of the bridge, for its journal and questions.
 */
export function createRedactor(spec: ResolvedSpec, bridge: Redaction = new Redaction()): Redactor {
  const own = new Secrets()
  const everywhere = [own, bridge.definitions]
  const written = specSecrets(spec)
  for (const secrets of everywhere) secrets.keep(written)
  const redactText = (text: string): string => bridge.answers.mask(own.mask(text))
  return {
    redactListed: <T>(listed: T) =>
      own.isEmpty ? listed : (mapTexts(listed, (text) => own.mask(text)) as T),
    redactLine: (line) => own.mask(line),
    redact: (error) => redactedError(error, redactText),
    redactText,
    watched: (authorization) =>
      watched(authorization, (headers) => {
        const tokens = headerSecrets(headers)
        for (const secrets of everywhere) secrets.keepTemporary(tokens)
      }),
  }
}

type Headers = Readonly<Record<string, string>>

/** Runs on every call: skips headers that are the same object as before. */
function watched(authorization: McpAuthorization, onHeaders: (headers: Headers) => void): McpAuthorization {
  let last: Headers | undefined
  const seen = (headers: Headers): Headers => {
    if (headers !== last) onHeaders(headers)
    last = headers
    return headers
  }
  return {
    authorize: (options) => authorization.authorize(options),
    headersFor: (request) => {
      const headers = authorization.headersFor(request)
      return headers instanceof Promise ? headers.then(seen) : seen(headers)
    },
    onRefused: (refusal, options) => authorization.onRefused(refusal, options),
    onResponse: (response) => authorization.onResponse?.(response),
    get authorizationUrl() {
      return authorization.authorizationUrl
    },
  }
}

/** Removes secrets from an error: the same error where there are none, else one like it without its cause. */
export function redactedError(error: unknown, text: RedactText): unknown {
  if (!(error instanceof Error)) return error
  const message = text(error.message)
  const details = [
    error.cause,
    ...Object.values(error),
    ...(error instanceof AggregateError ? error.errors : []),
  ]
  if (message === error.message && redactedData(details, text, 0) === details) return error
  if (error instanceof McpUnauthorizedError)
    return new McpUnauthorizedError(message, { authorizationUrl: error.authorizationUrl })
  if (isAuthError(error)) return new McpUnauthorizedError(message)
  if (!(error instanceof McpError)) return new Error(message)
  const { kind, code } = error
  return new McpError(message, { kind, code, data: redactedData(error.data, text, 0) })
}

/** Deeper data is replaced as a whole. */
const maxDepth = 32

function redactedData(data: unknown, text: RedactText, depth: number): unknown {
  if (typeof data === 'string') return text(data)
  if (typeof data !== 'object' || data === null) return data
  if (depth === maxDepth) return '[redacted]'
  if (data instanceof Error) return redactedError(data, text)
  if (Array.isArray(data)) {
    const items = data.map((item: unknown) => redactedData(item, text, depth + 1))
    return items.every((item, index) => item === data[index]) ? data : items
  }
  if (!isJsonObject(data)) return data
  const entries = Object.entries(data).map(
    ([key, value]) => [text(key), redactedData(value, text, depth + 1)] as const,
  )
  return entries.every(([key, value]) => Object.hasOwn(data, key) && data[key] === value)
    ? data
    : Object.fromEntries(entries)
}
