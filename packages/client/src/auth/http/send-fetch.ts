import { decodeUtf8, joinBytes } from '../../text/bytes.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import type { GuardDiagnostic, SendLimits, SendOnce } from './send-options.ts'
import { sendError, tooLargeError } from './send-errors.ts'

const UNCHECKED: GuardDiagnostic = {
  code: 'address_left_to_fetch',
  message: 'requests go through fetch, which resolves names itself: the resolved addresses are not checked',
}

/** Sends with `fetch`: that of the browser, or a custom one. */
export function fetchSender(carry: typeof fetch, diagnose: (diagnostic: GuardDiagnostic) => void): SendOnce {
  return async (url, request, limits) => {
    diagnose(UNCHECKED)
    limits.onConnected()
    try {
      const response = await carry(url, requestInit(request, limits.signal))
      const body = await readBody(response, request, limits)
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    } catch (error) {
      throw sendError(error, request)
    }
  }
}

function requestInit({ method, headers, body }: AuthRequest, signal: AbortSignal): RequestInit {
  return {
    method,
    headers: { ...headers },
    redirect: 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
    ...(body === undefined ? {} : { body }),
  }
}

async function readBody(response: Response, request: AuthRequest, limits: SendLimits): Promise<string> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await reader?.read()
    limits.signal.throwIfAborted()
    if (part === undefined || part.done) return decodeUtf8(joinBytes(parts))
    parts.push(part.value)
    size += part.value.length
    if (size <= limits.maxBytes) continue
    await reader?.cancel().catch(() => undefined)
    throw tooLargeError(request, limits.maxBytes)
  }
}
