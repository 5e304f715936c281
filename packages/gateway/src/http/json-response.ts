import type { OutgoingHttpHeaders } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** The members that are inherited. The types of the others do not allow methods and accessors in their place. */
const ResponseHead: new (
  body: null,
  init: ResponseInit,
) => Pick<Response, 'headers' | 'ok' | 'redirected' | 'status' | 'statusText' | 'type' | 'url'> = Response

/**
 * A response with a JSON document, for routes that are called often. The body of an ordinary response is a stream, which
 * costs more than the rest of the response: here one is made only if somebody reads it, and `sendDocument` does not.
 */
export class JsonResponse extends ResponseHead implements Response {
  readonly document: string
  #readable: Response | undefined

  constructor(value: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(null, { headers: { 'content-type': 'application/json', ...headers } })
    this.document = JSON.stringify(value)
  }

  get body(): Response['body'] {
    return this.#read().body
  }

  get bodyUsed(): boolean {
    return this.#readable?.bodyUsed ?? false
  }

  text(): Promise<string> {
    return this.#read().text()
  }

  json(): Promise<unknown> {
    return this.#read().json()
  }

  formData(): ReturnType<Response['formData']> {
    return this.#read().formData()
  }

  blob(): Promise<Blob> {
    return this.#read().blob()
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read().arrayBuffer()
  }

  /** Node 20 has no such method; later versions would read the empty body that is inherited. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  clone(): Response {
    return this.#read().clone()
  }

  #read(): Response {
    this.#readable ??= new Response(this.document, { status: this.status, headers: this.headers })
    return this.#readable
  }
}

/** The part of Node's response that is used here. */
interface Outgoing {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  end(text: string): unknown
}

/** Writes a document in one piece. Returns what tells the HTTP server that the response is sent. */
export function sendDocument({ status, headers, document }: JsonResponse, outgoing: Outgoing): Response {
  const length = Buffer.byteLength(document)
  outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': length })
  outgoing.end(document)
  return RESPONSE_ALREADY_SENT
}
