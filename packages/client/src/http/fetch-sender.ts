import { isJsonObject } from '../jsonrpc/json.ts'
import type { SendFailure, SenderRequest, HttpSender, ResponseReceiver } from './http-sender.ts'

type Fetch = typeof fetch

const CLOSED = { code: 'the connection was closed' }

/** Sends requests with `fetch`: the global one, or one that the caller provides. */
export function createFetchSender(customFetch: Fetch): HttpSender {
  const open = new Map<AbortController, ResponseReceiver>()
  return {
    send(url, request, receiver) {
      const abort = new AbortController()
      open.set(abort, receiver)
      const done = exchange(
        () => customFetch(url, requestInit(request, abort.signal)),
        receiver,
        abort.signal,
      )
      void done.finally(() => open.delete(abort))
      return () => abort.abort()
    },
    close() {
      for (const [abort, receiver] of open) {
        if (!abort.signal.aborted) receiver.onError({ cause: CLOSED, effect: 'unknown' })
        abort.abort()
      }
    },
  }
}

function requestInit({ method, headers, body }: SenderRequest, signal: AbortSignal): RequestInit {
  return {
    method,
    headers: { ...headers },
    redirect: 'manual',
    signal,
    ...(body === undefined ? {} : { body }),
  }
}

async function exchange(
  send: () => Promise<Response>,
  receiver: ResponseReceiver,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await send()
    if (signal.aborted) return
    receiver.onHead({ status: response.status, header: (name) => response.headers.get(name) ?? undefined })
    await readBody(response, receiver, signal)
    if (!signal.aborted) receiver.onEnd()
  } catch (error) {
    if (!signal.aborted) receiver.onError(failureOf(error))
  }
}

async function readBody(response: Response, receiver: ResponseReceiver, signal: AbortSignal): Promise<void> {
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done || signal.aborted) return
    receiver.onChunk(part.value)
  }
}

/** The `fetch` of Node reports in `cause` whether a connection was made. Browsers do not report it. */
function failureOf(error: unknown): SendFailure {
  const inner = error instanceof Error && isJsonObject(error.cause) ? error.cause : {}
  const hadNoConnection = inner['syscall'] === 'connect' || inner['syscall'] === 'getaddrinfo'
  return { cause: error, effect: hadNoConnection ? 'none' : 'unknown' }
}
