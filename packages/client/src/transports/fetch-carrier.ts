import type { CarrierRequest, HttpCarrier, ResponseReceiver } from './carrier.ts'

type Fetch = typeof fetch

/** Carries requests on a `fetch`: the browser's, or one that the host brings. */
export function fetchCarrier(url: URL, carry: Fetch): HttpCarrier {
  return {
    send(request, receiver) {
      const abort = new AbortController()
      void exchange(() => carry(url, requestInit(request, abort.signal)), receiver, abort.signal)
      return () => abort.abort()
    },
    close: () => undefined,
  }
}

function requestInit({ method, headers, body }: CarrierRequest, signal: AbortSignal): RequestInit {
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
    if (!signal.aborted) receiver.onError(error)
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
