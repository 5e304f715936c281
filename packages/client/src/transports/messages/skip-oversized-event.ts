import { malformedError } from '../../jsonrpc/jsonrpc.ts'
import type { EventLink } from './event-body.ts'
import type { OversizedEvent } from './event-stream-parser.ts'
import { answeredId } from './answered-id.ts'

/** Fails the request that the event answers, if that can be told, and no other. */
export function skipOversizedEvent(link: EventLink, event: OversizedEvent): void {
  const id = answeredId(event)
  const reason = malformedError(
    `an event of the server is larger than ${link.maxBytes} bytes; it was skipped`,
  )
  if (id !== undefined && link.isPending(id)) link.failCall(id, reason)
  else link.warn(reason)
}
