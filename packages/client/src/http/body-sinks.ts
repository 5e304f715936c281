import { decodeUtf8, joinBytes } from '../text/bytes.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'

/** Receives the body of a response. Throwing aborts the response. */
export interface BodySink {
  push(bytes: Uint8Array): void
  end(): void
}

/** Discards the body. */
export const ignoredBody: BodySink = { push: () => undefined, end: () => undefined }

/** Collects a text of at most `maxBytes` and passes it on when it is complete. */
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

const MAX_ERROR_BYTES = 64 * 1024

/** Collects the body of an error response and throws the error made of it. A body over 64 KiB is not used. */
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
