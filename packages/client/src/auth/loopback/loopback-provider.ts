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

/** How a program at a terminal has its person sign in. */
export interface LoopbackAuthProviderOptions {
  /** Keeps tokens and registrations; without it they are forgotten with the process. */
  readonly store?: AuthStore
  /** What the person reads about the program when they are asked to agree. */
  readonly clientMetadata: ClientMetadata
  readonly clientMetadataUrl?: string
  /** A client that was registered by hand, for the one issuer that it was registered with. */
  readonly client?: ClientInformation & { readonly issuer: string }
  /** The port to be sent back to, if it is free; any free one if left out. */
  readonly port?: number
  /** Shows the address to the person; asks the system for its browser if left out. False: it could not. */
  readonly openBrowser?: (url: URL) => Promise<boolean>
  /** Says a line to the person; writes to the standard error output if left out. */
  readonly print?: (line: string) => void
  /** Where a person without a browser here pastes the address that theirs ended at; a terminal if left out. */
  readonly input?: Readable
  /** How long the person may take; five minutes if left out. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000

/** How long a port stays open for somebody who is not sent away, because the sign-in failed before that. */
const UNUSED_MS = 2 * 60_000

/**
 * A provider for programs on the person's own machine: it opens the browser and waits on 127.0.0.1 for their return. It
 * also prints the address and takes the one that the browser ended at, for machines without a browser.
 */
export function loopbackAuthProvider(options: LoopbackAuthProviderOptions): McpAuthProvider {
  const { store = memoryAuthStore(), clientMetadata, clientMetadataUrl, client } = options
  let port = options.port ?? 0
  /** Where people will come back to who are not sent away yet; several may be at once. */
  const ready = new Map<string, LoopbackListener>()
  return createAuthProvider(store, {
    clientMetadata,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(client !== undefined && { client }),
    async redirectUrl() {
      const listener = await LoopbackListener.open(port)
      const { redirectUrl } = listener
      // The next sign-in comes back to the same place, so that the registration stays good.
      port = listener.port
      ready.set(redirectUrl, listener)
      unrefTimer(setTimeout(() => closeUnused(ready, redirectUrl, listener), UNUSED_MS))
      return redirectUrl
    },
    async redirectToAuthorization(url, { signal }) {
      const redirectUri = url.searchParams.get('redirect_uri') ?? ''
      const listener = ready.get(redirectUri)
      if (listener === undefined || !url.searchParams.has('state')) {
        throw new TypeError('redirectUrl() comes first, then an address with its result and a state')
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
      print('If that browser is on another machine, paste here the address that it ended at.')
    const ways = [returned, ...(pasted === undefined ? [] : [pasted])]
    return await Promise.race([...ways, failure(timeoutMs, signal, over.signal)])
  } finally {
    over.abort()
  }
}

/** Rejects when the person took too long, or nobody waits for them any more. */
function failure(timeoutMs: number, signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(tooLate(timeoutMs)), timeoutMs)
    const giveUp = (): void => reject(signal?.reason)
    if (signal?.aborted === true) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true, signal: over })
    over.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

/** The first line that is the address of this very sign-in. */
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
      else if (address !== '') print('That is not the address that this sign-in ends at; paste it whole.')
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
  return new McpAuthError(
    `nobody came back from the sign-in within ${Math.round(timeoutMs / 1000)} seconds`,
    {
      code: 'timeout',
      stage: 'authorization',
      fix: 'try again and finish the sign-in in the browser, or raise timeoutMs',
    },
  )
}
