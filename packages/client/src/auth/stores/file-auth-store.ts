import { ensurePrivateFolder } from '../../files/private-files.ts'
import type { JsonObject } from '../../jsonrpc/json.ts'
import { sha256Base64url } from '../crypto/base64url.ts'
import type { ClientInformation } from '../messages/oauth-documents.ts'
import { documentFolder } from './file/document-folder.ts'
import { withStorageErrors } from './file/storage-error.ts'
import { acquireTokenLock, type LockOptions } from './file/token-lock.ts'
import { readRecord, writeRecord } from './file/token-record-files.ts'
import { leaseQueue, authKeyName } from './lease-queue.ts'
import { isExpiredFlow, type AuthProviderOptions, createAuthProvider } from './memory-auth-store.ts'
import type { AuthKey, AuthStore, KnownServer, McpAuthProvider, PendingFlow } from './auth-store.ts'

/** Options of {@link fileAuthStore}. */
export interface FileAuthStoreOptions {
  /** A dedicated folder, created if missing. Other users must have no access to it. */
  readonly folder: string
  /** How long to wait for another process that refreshes the same tokens. Default: 60 s. */
  readonly leaseTimeoutMs?: number
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number
}

const LEASE_TIMEOUT_MS = 60_000

/** A provider that stores everything in private files, which any number of processes may share. */
export function fileAuthProvider(options: AuthProviderOptions & FileAuthStoreOptions): McpAuthProvider {
  const { folder, leaseTimeoutMs, now, ...rest } = options
  const store = fileAuthStore({
    folder,
    ...(leaseTimeoutMs !== undefined && { leaseTimeoutMs }),
    ...(now !== undefined && { now }),
  })
  return createAuthProvider(store, rest)
}

/**
 * A store in private files, which any number of processes may share. Touches no file until the first call. Rejects with
 * an `McpAuthError` of code `storage_failed`.
 */
export function fileAuthStore(options: FileAuthStoreOptions): AuthStore {
  const { folder, leaseTimeoutMs: timeoutMs = LEASE_TIMEOUT_MS, now = Date.now } = options
  const queue = leaseQueue()
  const clients = documentFolder<ClientInformation>(folder, 'clients', isClient)
  const servers = documentFolder<KnownServer>(folder, 'servers', isKnownServer)
  const flows = documentFolder<PendingFlow>(folder, 'flows', isFlow)
  const serverName = (...parts: readonly string[]): string => JSON.stringify(parts)
  return {
    clientInformation: (issuer) => withStorageErrors(() => clients.read(issuer)),
    saveClientInformation: (issuer, information) =>
      withStorageErrors(() => clients.write(issuer, information)),
    tokens: (key) => withStorageErrors(async () => readRecord(await tokenFolder(folder, key), key)),
    saveTokens: (key, record, expected) =>
      withStorageErrors(async () => writeRecord(await tokenFolder(folder, key), { key, record, expected })),
    lease: (key, work, waiting = {}) =>
      queue(key, () => runLocked(folder, key, { timeoutMs, ...waiting }, work), waiting),
    saveFlow: (flow) =>
      withStorageErrors(async () => {
        await flows.removeWhere((old) => isExpiredFlow(old, now()))
        await flows.write(flow.state, flow)
      }),
    async takeFlow(state) {
      const flow = await withStorageErrors(() => flows.take(state))
      return flow !== undefined && !isExpiredFlow(flow, now()) ? flow : undefined
    },
    knownServer: (serverUrl, principal) =>
      withStorageErrors(() => servers.read(serverName(serverUrl, principal))),
    saveKnownServer: (serverUrl, principal, known) =>
      withStorageErrors(() => servers.write(serverName(serverUrl, principal), known)),
  }
}

/** Each record has its own folder and lock, so that records do not slow each other down. */
async function tokenFolder(root: string, key: AuthKey): Promise<string> {
  const folder = `${root}/tokens/${await sha256Base64url(authKeyName(key))}`
  await ensurePrivateFolder(root)
  await ensurePrivateFolder(folder)
  return folder
}

async function runLocked<T>(
  root: string,
  key: AuthKey,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const release = await withStorageErrors(async () => acquireTokenLock(await tokenFolder(root, key), options))
  try {
    return await work()
  } finally {
    await withStorageErrors(release)
  }
}

function isClient(value: JsonObject): value is JsonObject & ClientInformation {
  return areTexts(value, ['client_id'])
}

function isKnownServer(value: JsonObject): value is JsonObject & KnownServer {
  return areTexts(value, ['issuer', 'resource'])
}

function isFlow(value: JsonObject): value is JsonObject & PendingFlow {
  const texts = [
    'state',
    'codeVerifier',
    'issuer',
    'tokenEndpoint',
    'redirectUri',
    'clientId',
    'principal',
    'serverUrl',
  ]
  return areTexts(value, texts) && typeof value['startedAtMs'] === 'number'
}

function areTexts(value: JsonObject, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string')
}
