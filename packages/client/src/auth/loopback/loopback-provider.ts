import type { Readable } from 'node:stream'
import { nodeBuiltin } from '../../runtime/node-builtins.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { callbackParameters } from '../grants/callback.ts'
import type { ClientInformation, ClientMetadata } from '../messages/oauth-documents.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { LoopbackListener } from './loopback-listener.ts'
import { memoryAuthStore, createAuthProvider } from '../stores/memory-auth-store.ts'
import { openBrowser } from './open-browser.ts'
import { equalsInConstantTime } from '../crypto/pkce.ts'
import type { AuthStore, McpAuthProvider } from '../stores/auth-store.ts'

/** Options of {@link loopbackAuthProvider}. */
export interface LoopbackAuthProviderOptions {
  /** Stores tokens and registrations. Default: in memory, until the process ends. */
  readonly store?: AuthStore
  /** Describes this program to the authorization server and to the person. */
  readonly clientMetadata: ClientMetadata
  /** The URL of this program's client metadata document. Default: none. */
  readonly clientMetadataUrl?: string
  /** A client that was registered by hand, and its issuer. Default: none. */
  readonly client?: ClientInformation & { readonly issuer: string }
  /** The preferred port for the callback; another one is used if it is taken. Default: any free port. */
  readonly port?: number
  /** Opens the URL in a browser; resolves with false if there is none. Default: the browser of the system. */
  readonly openBrowser?: (url: URL) => Promise<boolean>
  /** Prints a line for the person. Default: writes to stderr. */
  readonly print?: (line: string) => void
  /** Where a person pastes the callback URL if the browser is on another machine. Default: stdin if it is a terminal. */
  readonly input?: Readable
  /** Timeout of the sign-in. Default: 5 minutes. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000

/** How long a listener stays open if the sign-in fails before the person is redirected. */
const UNUSED_MS = 2 * 60_000

/**
 * A provider for programs on the person's own machine: opens the browser and waits for the callback on 127.0.0.1. Also
 * prints the URL and accepts a pasted callback URL, for machines without a browser.
 */
export function loopbackAuthProvider(options: LoopbackAuthProviderOptions): McpAuthProvider {
  const { store = memoryAuthStore(), clientMetadata, clientMetadataUrl, client } = options
  let port = options.port ?? 0
  /** Listeners of sign-ins that have not been redirected yet, by redirect URL. */
  const ready = new Map<string, LoopbackListener>()
  return createAuthProvider(store, {
    clientMetadata,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(client !== undefined && { client }),
    async redirectUrl() {
      const listener = await LoopbackListener.open(port)
      const { redirectUrl } = listener
      // The next sign-in uses the same port, so that the registration stays valid.
      port = listener.port
      ready.set(redirectUrl, listener)
      unrefTimer(setTimeout(() => closeUnused(ready, redirectUrl, listener), UNUSED_MS))
      return redirectUrl
    },
    async redirectToAuthorization(url, { signal }) {
      const redirectUri = url.searchParams.get('redirect_uri') ?? ''
      const listener = ready.get(redirectUri)
      if (listener === undefined || !url.searchParams.has('state')) {
        throw new TypeError('call redirectUrl() first, then pass a URL with its result and a state')
      }
      ready.delete(redirectUri)
      try {
        signal?.throwIfAborted()
        return await returnOf(url, listener, options, signal)
      } finally {
        listener.close()
      }
    },
  })
}

function closeUnused(
  ready: Map<string, LoopbackListener>,
  redirectUrl: string,
  listener: LoopbackListener,
): void {
  if (ready.get(redirectUrl) !== listener) return
  ready.delete(redirectUrl)
  listener.close()
}

async function returnOf(
  url: URL,
  listener: LoopbackListener,
  options: LoopbackAuthProviderOptions,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { print = printToStderr, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const state = url.searchParams.get('state') ?? ''
  const over = new AbortController()
  try {
    const returned = listener.waitForCallback(state)
    const isShown = await (options.openBrowser ?? openBrowser)(url)
    const pasted = readPasted(options, state, print, over.signal)
    print(
      `${isShown ? 'Your browser opens to sign in. If it does not, open' : 'To sign in, open'} ${url.href}`,
    )
    if (pasted !== undefined)
      print('If that browser is on another machine, paste the URL that it was sent to here.')
    const ways = [returned, ...(pasted === undefined ? [] : [pasted])]
    return await Promise.race([...ways, failure(timeoutMs, signal, over.signal)])
  } finally {
    over.abort()
  }
}

/** Rejects on timeout, or when the signal aborts. */
function failure(timeoutMs: number, signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(tooLate(timeoutMs)), timeoutMs)
    const giveUp = (): void => reject(signal?.reason)
    if (signal?.aborted === true) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true, signal: over })
    over.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

/** The first input line that is the callback URL of this sign-in. */
function readPasted(
  { input = process.stdin.isTTY ? process.stdin : undefined }: LoopbackAuthProviderOptions,
  state: string,
  print: (line: string) => void,
  over: AbortSignal,
): Promise<string> | undefined {
  if (input === undefined) return undefined
  const lines = nodeBuiltin('node:readline').createInterface({ input, terminal: false })
  over.addEventListener('abort', () => lines.close(), { once: true })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const address = line.trim()
      if (isReturn(address, state)) resolve(address)
      else if (address !== '') print('That is not the callback URL of this sign-in; paste the complete URL.')
    })
  })
}

function isReturn(address: string, state: string): boolean {
  return equalsInConstantTime(callbackParameters(address).get('state') ?? '', state)
}

function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

function tooLate(timeoutMs: number): McpAuthError {
  return new McpAuthError(`the sign-in was not finished within ${Math.round(timeoutMs / 1000)} s`, {
    code: 'timeout',
    stage: 'authorization',
    fix: 'try again and finish the sign-in in the browser, or increase timeoutMs',
  })
}
