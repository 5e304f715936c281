import type { MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

const maxBodyBytes = 4 * 1024 * 1024

/** Rejects bodies over 4 MiB: by `content-length`, or as soon as that much has arrived. */
export const limitBody: MiddlewareHandler<GatewayEnv> = async (context, next) => {
  const { raw } = context.req
  if (raw.body !== null) {
    const declared = raw.headers.has('transfer-encoding') ? null : raw.headers.get('content-length')
    if (Number(declared) > maxBodyBytes) throw tooLarge()
    if (declared === null) context.req.raw = withBody(raw, await readLimited(raw.body))
  }
  await next()
}

async function readLimited(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBodyBytes) throw tooLarge()
    chunks.push(Uint8Array.from(chunk))
  }
  return new Blob(chunks)
}

/** Copies the fields one by one: the object of the HTTP server is not a real `Request` and cannot be cloned. */
function withBody({ url, method, headers, signal }: Request, body: Blob): Request {
  return new Request(url, { method, headers, signal, body })
}

function tooLarge(): GatewayError {
  return new GatewayError('body_too_large', `the limit for a request body is ${maxBodyBytes} bytes`)
}
