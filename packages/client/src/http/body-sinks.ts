import { decodeUtf8, joinBytes } from '../text/bytes.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'

/** Takes the body of a response. Throwing gives the response up. */
export interface BodySink {
  push(bytes: Uint8Array): void
  end(): void
}

/** For bodies that say nothing. */
export const ignoredBody: BodySink = { push: () => undefined, end: () => undefined }

/** Gathers a text and hands it over when it is complete; a longer one is refused. */
export function textBody(maxBytes: number, onText: (text: string) => void): BodySink {
  const parts: Uint8Array[] = []
  let size = 0
  return {
    push(bytes) {
      size += bytes.length
      if (size > maxBytes) throw malformedError(`the server's answer is larger than ${maxBytes} bytes`)
      parts.push(bytes)
    },
    end: () => onText(decodeUtf8(joinBytes(parts))),
  }
}

/** Enough for any error that a server explains. */
const MAX_ERROR_BYTES = 64 * 1024

/** Gathers the beginning of a text and throws what is made of it. */
export function errorBody(toError: (text: string) => Error): BodySink {
  const parts: Uint8Array[] = []
  let size = 0
  return {
    push(bytes) {
      size += bytes.length
      if (size <= MAX_ERROR_BYTES) parts.push(bytes)
      else throw toError('')
    },
    end() {
      throw toError(decodeUtf8(joinBytes(parts)))
    },
  }
}
