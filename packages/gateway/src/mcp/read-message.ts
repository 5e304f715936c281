import { McpErrorCode } from '@toolbridge/client'
import { refusedMessage } from '@toolbridge/client/internal'
import { refusal } from './refusal.ts'

/** Messages in one batch. */
const maxBatch = 100

/** The body of a request, parsed once; undefined unless it is a POST. Or the response that refuses it. */
export async function readMessage(
  request: Request,
): Promise<{ readonly message: unknown } | { readonly refused: Response }> {
  if (request.method !== 'POST') return { message: undefined }
  const text = await request.text()
  const refused = refusedMessage(text)
  // An error of a request, if it has an id, so that the host can tell its user.
  if (refused !== undefined) return refuse(refused.id === null ? 400 : 200, refused)
  try {
    const message: unknown = JSON.parse(text)
    return Array.isArray(message) && message.length > maxBatch ? refuse(400, tooManyMessages) : { message }
  } catch {
    return refuse(400, { code: McpErrorCode.ParseError, message: 'Parse error: Invalid JSON' })
  }
}

const tooManyMessages = {
  code: McpErrorCode.InvalidRequest,
  message: `a batch has at most ${maxBatch} messages; send more batches`,
}

function refuse(
  status: number,
  { code, message, id }: { readonly code: number; readonly message: string; readonly id?: unknown },
): { readonly refused: Response } {
  return { refused: refusal(status, code, message, id) }
}
