import { answeredId } from './answered-id.ts'
import type { EventReceiver } from './event-body.ts'
import type { OversizedEvent } from './event-stream-parser.ts'
import { oversizedError } from './oversized-error.ts'

/** Fails the request that the event answers, if it can be identified; otherwise warns. */
export function skipOversizedEvent(receiver: EventReceiver, event: OversizedEvent): void {
  const id = answeredId(event)
  const reason = oversizedError(receiver.maxBytes)
  if (id !== undefined && receiver.isPending(id)) receiver.failCall(id, reason)
  else receiver.warn(reason)
}
