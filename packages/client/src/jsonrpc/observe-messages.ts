import { BaseJsonRpcTransport } from './base-transport.ts'
import type { RequestId } from './jsonrpc.ts'
import type { McpTransport } from './transport.ts'

/** Called with each message before it is sent or handled. `callId`: the request on whose stream it arrived. */
export type MessageObserver = (direction: 'sent' | 'received', message: unknown, callId?: RequestId) => void

type Method = (this: BaseJsonRpcTransport, ...parameters: readonly unknown[]) => unknown

/**
 * Calls the observer with every message of a transport from now on. Returns a function that ends this, last observer first, or
 * undefined for a transport that does not extend `BaseJsonRpcTransport`, whose messages cannot be observed. Changes only this
 * transport and only until then, so that others stay as fast as they are.
 */
export function observeMessages(transport: McpTransport, observe: MessageObserver): (() => void) | undefined {
  if (!(transport instanceof BaseJsonRpcTransport)) return undefined
  const restores = [
    // Requests are written as messages, not by a faster way of their own.
    replace(transport, 'sendRequest', () => methodOf(BaseJsonRpcTransport.prototype, 'sendRequest')),
    replace(transport, 'sendMessage', (send) => observed(send, 'sent', observe)),
    replace(transport, 'receive', (receive) => observed(receive, 'received', observe)),
  ]
  return () => {
    for (const restore of restores.toReversed()) restore()
  }
}

/** Replaces a method that only subclasses can see. Returns a function that puts the method back that was there. */
function replace(
  transport: BaseJsonRpcTransport,
  name: string,
  replacement: (method: Method) => Method,
): () => void {
  const before = Object.getOwnPropertyDescriptor(transport, name)
  // Configurable, so that another observer can be added, and this one removed.
  const value = replacement(methodOf(transport, name))
  Object.defineProperty(transport, name, { value, configurable: true })
  return () => {
    if (before === undefined) Reflect.deleteProperty(transport, name)
    else Object.defineProperty(transport, name, before)
  }
}

function methodOf(owner: object, name: string): Method {
  return Reflect.get(owner, name) as Method
}

function observed(method: Method, direction: 'sent' | 'received', observe: MessageObserver): Method {
  return function (message, ...others) {
    const callId = direction === 'received' ? (others[0] as RequestId | undefined) : undefined
    for (const each of Array.isArray(message) ? message : [message]) observe(direction, each, callId)
    return method.call(this, message, ...others)
  }
}
