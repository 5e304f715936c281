import { selectFetch } from '../../network/select-fetch.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { assertSafeRedirect, assertSafeUrl } from '../../url-guard/assert-safe-url.ts'
import type { UrlGuardOptions } from '../../url-guard/options.ts'
import type { AuthRequest, AuthResponse, AuthSend } from '../messages/auth-request.ts'
import { redirectedError, timeoutError } from './send-errors.ts'
import { fetchSender } from './send-fetch.ts'
import type { AuthSendOptions, GuardDiagnostic, SendLimits, SendOnce } from './send-options.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3

/**
 * Creates the sender of OAuth requests. Every URL, including that of each redirect, is checked by the guard before
 * anything is sent, and in Node the connection goes to the addresses that were checked. Only a GET follows redirects,
 * and only to the same host or one of `allowedHosts`; in a browser none is followed. Throws a `TypeError` for invalid
 * options.
 */
export function createAuthSend(options: AuthSendOptions = {}): AuthSend {
  const openSender = senders(options)
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxResponseBytes: maxBytes = DEFAULT_MAX_BYTES } = options
  return async (request, { signal } = {}) => {
    signal?.throwIfAborted()
    const deadline = new AbortController()
    const giveUp = (): void => deadline.abort(signal?.reason)
    signal?.addEventListener('abort', giveUp, { once: true })
    let isUnsent = true
    const onConnected = (): void => {
      isUnsent = false
    }
    const expire = (): void => deadline.abort(timeoutError(request, timeoutMs, isUnsent))
    const timer = unrefTimer(setTimeout(expire, timeoutMs))
    try {
      const limits = { signal: deadline.signal, maxBytes, onConnected }
      return await follow(request, await openSender(), limits, options)
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

async function follow(
  request: AuthRequest,
  send: SendOnce,
  limits: SendLimits,
  guard: UrlGuardOptions,
): Promise<AuthResponse> {
  const first = assertSafeUrl(request.url, guard)
  let url = first
  for (let hops = 0; ; hops++) {
    const response = await send(
      url,
      url.origin === first.origin ? request : withoutCredentials(request),
      limits,
    )
    if (!isRedirect(response.status)) return response
    const target = request.method === 'GET' && hops < MAX_REDIRECTS ? targetOf(url, response) : undefined
    if (target === undefined) throw redirectedError(request, response.headers['location'], url)
    url = assertSafeRedirect(target, first, guard)
  }
}

/** A browser reports a redirect that it did not follow as status 0. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400 && status !== 304)
}

function targetOf(from: URL, { status, headers }: AuthResponse): string | undefined {
  const location = headers['location']
  const isFollowed = [301, 302, 303, 307, 308].includes(status)
  return isFollowed && location !== undefined ? parsedUrl(location, from.href)?.href : undefined
}

/** Another host receives no credentials. */
function withoutCredentials(request: AuthRequest): AuthRequest {
  const accept = request.headers['accept']
  return { ...request, headers: accept === undefined ? {} : { accept } }
}

function senders(options: AuthSendOptions): () => Promise<SendOnce> {
  const diagnose = onceEach(options.onDiagnostic)
  const carry = selectFetch(options)
  let sender: Promise<SendOnce> | undefined
  return () => {
    sender ??=
      carry === undefined ? nodeSender(options, diagnose) : Promise.resolve(fetchSender(carry, diagnose))
    return sender
  }
}

/** Loaded on demand: browsers never need it. */
async function nodeSender(
  options: AuthSendOptions,
  diagnose: (diagnostic: GuardDiagnostic) => void,
): Promise<SendOnce> {
  return (await import('./send-node.ts')).nodeSender(options, diagnose)
}

function onceEach(report: AuthSendOptions['onDiagnostic']): (diagnostic: GuardDiagnostic) => void {
  const reported = new Set<string>()
  return (diagnostic) => {
    if (!reported.has(diagnostic.code)) report?.(diagnostic)
    reported.add(diagnostic.code)
  }
}
