import { join } from 'node:path'
import { fileGrantStore, filePinStore, type GrantStore, type PinStore } from '@toolbridge/bridge/permissions'
import type { Lockbox } from '@toolbridge/lockbox'
import { localPrincipal } from '../sign-in/principal.ts'

/**
 * The approvals of all owners. Those of the local owner are files in the data folder, which `toolbridge grants` reads and
 * revokes without the gateway. Those of other people are encrypted rows.
 */
export function approvalStores(
  dataFolder: string,
  lockbox: Pick<Lockbox, 'grants' | 'pins'>,
): { readonly grants: GrantStore; readonly pins: PinStore } {
  return {
    grants: grantsByOwner(fileGrantStore(join(dataFolder, 'grants')), lockbox.grants),
    pins: pinsByOwner(filePinStore(join(dataFolder, 'pins')), lockbox.pins),
  }
}

function grantsByOwner(local: GrantStore, others: GrantStore): GrantStore {
  const storeOf = (principal: string): GrantStore => (isLocal(principal) ? local : others)
  return {
    has: (grant) => storeOf(grant.principal).has(grant),
    add: (grant) => storeOf(grant.principal).add(grant),
    remove: (grant) => storeOf(grant.principal).remove(grant),
    list: (principal) => storeOf(principal).list(principal),
  }
}

function pinsByOwner(local: PinStore, others: PinStore): PinStore {
  const storeOf = (principal: string): PinStore => (isLocal(principal) ? local : others)
  return {
    get: (key) => storeOf(key.principal).get(key),
    set: (key, pin) => storeOf(key.principal).set(key, pin),
    remove: (key) => storeOf(key.principal).remove(key),
  }
}

function isLocal(principal: string): boolean {
  return principal === localPrincipal.id
}
