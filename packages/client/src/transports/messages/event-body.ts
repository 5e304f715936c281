import { malformedError, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { BodySink } from '../../http/body-sinks.ts'
import {
  EventStreamParser,
  type OversizedEvent,
  type ServerEvent,
  type StreamCursor,
} from './event-stream-parser.ts'
import type { HttpContext } from '../http/http-context.ts'
import { httpOnDemand } from '../http/load-deferred.ts'

/** What the messages of a stream are handed to. */
export type EventLink = Pick<HttpContext, 'maxBytes' | 'receive' | 'isPending' | 'failCall' | 'warn'>

/**
 * Takes the messages of a stream of events; `callId` names the request that it answers. `afterEvent` is called after
 * each event, be it a message or not; one that was too long is not shown to it.
 */
export function eventBody(
  link: EventLink,
  cursor: StreamCursor,
  callId: RequestId | undefined,
  afterEvent: (event?: ServerEvent) => void,
): BodySink {
  const parser = new EventStreamParser({
    cursor,
    maxBytes: link.maxBytes,
    onEvent: (event) => {
      if (event.type === 'message' && event.data !== '') takeEvent(link, event.data, callId)
      afterEvent(event)
    },
    onOversized: (event) => {
      void skipEvent(link, event).then(() => afterEvent())
    },
  })
  return { push: (bytes) => parser.push(bytes), end: () => undefined }
}

/** The value that a text says in JSON; undefined if it says none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some servers write a byte order mark, which JSON does not allow.
    return text.startsWith('\ufeff') ? parseJson(text.slice(1)) : undefined
  }
}

function takeEvent(link: EventLink, data: string, callId: RequestId | undefined): void {
  const message = parseJson(data)
  if (message !== undefined) link.receive(message, callId)
  else link.warn(malformedError('the server sent an event that is no JSON; it was dropped'))
}

/** How is loaded with the first one. A request whose stream has ended meanwhile waits for that too. */
async function skipEvent(link: EventLink, event: OversizedEvent): Promise<void> {
  const { skipOversizedEvent } = await httpOnDemand()
  skipOversizedEvent(link, event)
}
