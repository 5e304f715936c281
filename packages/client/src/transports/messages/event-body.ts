import type { BodySink } from '../../http/body-sinks.ts'
import { droppedError, type McpError, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import { loadDeferredHttp } from '../../loading/load-deferred-http.ts'
import {
  EventStreamParser,
  type OversizedEvent,
  type ServerEvent,
  type StreamCursor,
} from './event-stream-parser.ts'
import { parseJson } from '../../jsonrpc/json.ts'

/** Receives the messages of an event stream. */
export interface EventReceiver {
  readonly maxBytes: number
  /** Takes a message; `callId` is the request on whose stream it came, `text` its JSON. */
  readonly receive: (message: unknown, callId: RequestId | undefined, text: string) => void
  readonly isPending: (id: RequestId) => boolean
  readonly failCall: (id: RequestId, reason: McpError) => void
  readonly warn: (warning: McpError) => void
}

/**
 * Reads the messages of an event stream; `callId` is the request that it answers. `afterEvent` is called after each
 * event, without an argument after one that was too long.
 */
export function eventBody(
  receiver: EventReceiver,
  cursor: StreamCursor,
  callId: RequestId | undefined,
  afterEvent: (event?: ServerEvent) => void,
): BodySink {
  const parser = new EventStreamParser({
    cursor,
    maxBytes: receiver.maxBytes,
    onEvent: (event) => {
      if (event.type === 'message' && event.data !== '') takeEvent(receiver, event.data, callId)
      afterEvent(event)
    },
    onOversized: (event) => {
      void skipEvent(receiver, event).then(() => afterEvent())
    },
  })
  return { push: (bytes) => parser.push(bytes), end: () => undefined }
}

function takeEvent(receiver: EventReceiver, data: string, callId: RequestId | undefined): void {
  const message = parseJson(data)
  if (message !== undefined) receiver.receive(message, callId, data)
  else receiver.warn(droppedError('invalid JSON'))
}

async function skipEvent(receiver: EventReceiver, event: OversizedEvent): Promise<void> {
  const { skipOversizedEvent } = await loadDeferredHttp()
  skipOversizedEvent(receiver, event)
}
