import { abortable } from '../../async/abortable.ts'
import type { AuthKey, AuthStore } from './auth-store.ts'

/** A string that is equal for equal keys. */
export function authKeyName({ issuer, resource, principal }: AuthKey): string {
  return JSON.stringify([issuer, resource, principal])
}

/** Leases within one process, in order of request. */
export function leaseQueue(): AuthStore['lease'] {
  const tails = new Map<string, Promise<void>>()
  return async (key, work, { signal } = {}) => {
    const name = authKeyName(key)
    const before = tails.get(name) ?? Promise.resolve()
    const { promise, resolve: release } = deferred()
    const tail = before.then(() => promise)
    tails.set(name, tail)
    try {
      await abortable(before, signal)
      return await work()
    } finally {
      release()
      if (tails.get(name) === tail) tails.delete(name)
    }
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
