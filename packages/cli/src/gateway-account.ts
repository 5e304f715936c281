import { join } from 'node:path'
import {
  isLoopbackHostname,
  type JsonObject,
  parsedUrl,
  type RecordFolder,
  recordFolder,
} from '@toolbridge/client/internal'
import type { Terminal } from './terminal.ts'
import { ownFolder } from './trust.ts'
import { UsageError } from './usage-error.ts'

const timeoutMs = 30_000

/** A sign-in to a gateway. */
export interface GatewayAccount {
  /** Bearer token. A secret. */
  readonly token: string
  /** Id of the person. */
  readonly principal: string
}

/** Returns the URL of a gateway without a path. Throws if it is not an https URL, or one of this machine. */
export function gatewayOrigin(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('missing gateway: expected a URL such as https://tools.example')
  const url = parsedUrl(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHostname(url.hostname))
  if (url !== undefined && isSafe && url.href === `${url.origin}/`) return url.origin
  // Not quoted: it may contain a password.
  throw new UsageError(
    'invalid gateway: expected a URL such as https://tools.example, with https and without a path',
  )
}

/** Returns the stored sign-in to a gateway. */
export async function storedAccount(
  terminal: Terminal,
  gateway: string,
): Promise<GatewayAccount | undefined> {
  return accountIn((await accounts(terminal).read(gateway)) ?? {})
}

/** Returns the stored sign-ins by gateway. */
export async function storedAccounts(terminal: Terminal): Promise<ReadonlyMap<string, GatewayAccount>> {
  const stored = (await accounts(terminal).list()).flatMap((record) => {
    const { gateway } = record
    const account = accountIn(record)
    return typeof gateway === 'string' && account !== undefined ? [[gateway, account] as const] : []
  })
  return new Map(stored)
}

function accountIn({ token, principal }: JsonObject): GatewayAccount | undefined {
  return typeof token === 'string' && typeof principal === 'string' ? { token, principal } : undefined
}

/** Stores a sign-in, in a file that only the user can read. */
export function storeAccount(terminal: Terminal, gateway: string, account: GatewayAccount): Promise<void> {
  return accounts(terminal).write(gateway, { gateway, ...account })
}

/** Deletes the stored sign-in to a gateway. */
export function removeAccount(terminal: Terminal, gateway: string): Promise<void> {
  return accounts(terminal).remove(gateway)
}

/** A request to a gateway. */
export interface GatewayRequest {
  readonly method: string
  /** Default: without a token. */
  readonly token?: string | undefined
  /** Sent as JSON. Default: no body. */
  readonly body?: object | undefined
}

/** Sends a request to a gateway. Undefined if it does not respond. */
export async function requestGateway(
  { signal }: Terminal,
  url: string,
  { method, token, body }: GatewayRequest,
): Promise<Response | undefined> {
  const response = await fetch(url, {
    method,
    // A token must not follow a redirect to another host.
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  signal.throwIfAborted()
  return response
}

/** In the user's own folder, which a project cannot change. */
function accounts(terminal: Terminal): RecordFolder {
  const folder = join(ownFolder(terminal), 'gateways')
  return recordFolder({ folder, digest: 'hex', others: 'none', durability: 'durable' })
}
