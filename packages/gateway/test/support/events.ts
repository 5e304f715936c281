import type { GatewayEvent } from '@toolbridge/api'

/** Reads an event stream one frame at a time. */
export interface EventReader<E extends { readonly type: string } = GatewayEvent> {
  /** The next event; rejects when the stream ends first. */
  next(): Promise<E>
  /** The next event of this type, skipping others. */
  next<T extends E['type']>(type: T): Promise<Extract<E, { type: T }>>
  /** The next frame as it was sent, or nothing at the end. */
  frame(): Promise<string | undefined>
  cancel(): Promise<void>
}

export function readEvents<E extends { readonly type: string } = GatewayEvent>(
  response: Response,
): EventReader<E> {
  if (response.body === null) throw new TypeError('the response has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  async function frame(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += value
    }
  }

  async function next<T extends E['type']>(type?: T): Promise<Extract<E, { type: T }>> {
    for (;;) {
      const found = await frame()
      if (found === undefined) throw new Error(`the stream ended before ${type ?? 'another event'}`)
      if (!found.startsWith('data: ')) continue
      const event: Extract<E, { type: T }> = JSON.parse(found.slice(6))
      if (type === undefined || event.type === type) return event
    }
  }

  return { next, frame, cancel: () => reader.cancel() }
}
