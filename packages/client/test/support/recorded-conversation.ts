import type { Spoken } from '@toolbridge/testkit/oracle'
import type { JsonRpcMessage, MemoryServerEnd } from '../../src/index.ts'

/** Everything that travels over a link from now on. Set up after the server, before the client connects. */
export function recorded(end: MemoryServerEnd): readonly Spoken[] {
  const conversation: Spoken[] = []
  const keep = (by: Spoken['by'], message: JsonRpcMessage): void => {
    conversation.push({ by, message: JSON.parse(JSON.stringify(message)) })
  }
  const { onmessage } = end
  const send = end.send.bind(end)
  end.onmessage = (message) => {
    keep('client', message)
    onmessage?.(message)
  }
  end.send = (message) => {
    keep('server', message)
    return send(message)
  }
  return conversation
}

/** The methods of the client's requests and notifications. */
export function methodsOf(conversation: readonly Spoken[]): ReadonlySet<unknown> {
  const said = conversation.filter(({ by, message }) => by === 'client' && 'method' in message)
  return new Set(said.map(({ message }) => message['method']))
}
