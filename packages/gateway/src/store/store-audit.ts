import {
  type AuditResponse,
  paths,
  type VerificationRequest,
  type VerificationResponse,
} from '@toolbridge/api'
import type { Audit } from '@toolbridge/lockbox'
import type { OwnerFile } from '../sign-in/owner-file.ts'
import { localPrincipal } from '../sign-in/principal.ts'
import { openExistingStore, type StoreOptions } from './existing-store.ts'
import { requestFromStore, runningOwner } from './running-store.ts'

/** The audit of a gateway's store. */
export interface StoreAudit {
  /** Returns the newest entries of an owner. Default: the local owner. */
  recent(limit: number, owner?: string): Promise<AuditResponse>
  /** Checks the chains of all writers, and that every value can be decrypted. */
  verify(request: VerificationRequest): Promise<VerificationResponse>
  /** Closes the store, if this process has opened it. */
  close(): Promise<void>
}

/**
 * Opens the audit of a store: through the gateway that runs on the data folder, else in this process. Creates nothing: rejects
 * with `unreachable` if there is no store.
 */
export async function openStoreAudit(options: StoreOptions): Promise<StoreAudit> {
  const owner = await runningOwner(options.dataFolder)
  options.signal?.throwIfAborted()
  if (owner !== undefined) return runningAudit(owner)
  const lockbox = await openExistingStore(options)
  return {
    recent: (limit, of) => newestEntries(lockbox.audit, limit, of),
    verify: ({ checkpoints }) => lockbox.verify(checkpoints),
    close: () => lockbox.close(),
  }
}

/** The newest entries of an owner, for JSON. */
export async function newestEntries(
  audit: Audit,
  limit: number,
  owner: string = localPrincipal.id,
): Promise<AuditResponse> {
  const entries = await audit.recent(owner, limit)
  return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })) }
}

function runningAudit(owner: OwnerFile): StoreAudit {
  return {
    async recent(limit, of) {
      const query = new URLSearchParams({ limit: `${limit}`, ...(of === undefined ? {} : { owner: of }) })
      const response = await requestFromStore(owner, `${paths.audit}?${query.toString()}`)
      return (await response.json()) as AuditResponse
    },
    async verify(request) {
      const init = { method: 'POST', body: JSON.stringify(request) }
      const response = await requestFromStore(owner, paths.verification, init)
      return (await response.json()) as VerificationResponse
    },
    close: async () => {},
  }
}
