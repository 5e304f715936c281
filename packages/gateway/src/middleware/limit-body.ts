import { isJsonContentType } from '@modelcontextprotocol/server'
import type { MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** Limit for calls of authenticated callers: arguments of tools can be files. */
export const maxBodyBytes: number = 4 * 1024 * 1024

/** Limit for texts that are explained or imported: the longest text, with escapes. */
export const maxTextBodyBytes: number = 1024 * 1024

/** Limit for everything else, such as settings, which takes longer per character than a call. */
export const maxOtherBodyBytes: number = 256 * 1024

/** Limit for requests of anyone: what they send is kept in memory. */
export const maxAnonymousBodyBytes: number = 4 * 1024

/**
 * Rejects larger bodies: by `content-length`, or as soon as that much has arrived. Rejects those that are not sent as JSON: pages
 * of other origins can send any other type without asking. Register it after `bearer`, so that the body of an unauthenticated
 * request is never read.
 */
export function limitBody(maxBytes: number): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const { raw } = context.req
    const declared = raw.headers.has('transfer-encoding') ? null : raw.headers.get('content-length')
    if (mayHaveBody(raw, declared) && !isJsonContentType(raw.headers.get('content-type'))) throw notJson()
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes)
    // A look at the body makes the HTTP server create a stream, which costs more than the rest of the request.
    if (declared === null && raw.method !== 'GET' && raw.body !== null)
      context.req.raw = withBody(raw, await readLimited(raw.body, maxBytes, raw.signal))
    await next()
  }
}

/** Whether a request has a body, or a type that only a body has. Does not look at the body, which costs much. */
function mayHaveBody({ method, headers }: Request, declared: string | null): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return false
  return headers.has('content-type') || headers.has('transfer-encoding') || Number(declared) > 0
}

/** Ends when the client disconnects: the HTTP server leaves the body of such a request open. */
async function readLimited(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Blob> {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const leave = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', leave)
  try {
    signal.throwIfAborted()
    let size = 0
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(Uint8Array.from(next.value))
    }
    signal.throwIfAborted()
    return new Blob(chunks)
  } catch (error) {
    leave()
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Copies the fields one by one: the object of the HTTP server is not a real `Request` and cannot be cloned. */
function withBody({ url, method, headers, signal }: Request, body: Blob): Request {
  return new Request(url, { method, headers, signal, body })
}

function notJson(): GatewayError {
  return new GatewayError('not_json', 'send the body as JSON, with the header content-type: application/json')
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', `the limit for a request body is ${maxBytes} bytes`)
}
