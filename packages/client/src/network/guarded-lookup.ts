import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { assertSafeAddresses } from '../url-guard/assert-safe-url.ts'
import type { UrlGuardOptions } from '../url-guard/options.ts'
import type { ResolveHost } from './connection-options.ts'

/**
 * Resolves a name for a new connection and fails unless the guard allows every address. The connection goes to these
 * addresses: a second lookup could return others.
 */
export function guardedLookup(
  url: URL,
  guard: UrlGuardOptions,
  resolve: ResolveHost = resolveBySystem,
): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly LookupAddress[]): void => {
      const [first] = addresses
      if (first === undefined) return callback(notFound(hostname), [])
      if (options.all === true) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    }
    checkedAddresses(url, hostname, guard, resolve).then(answer, (error: Error) => callback(error, []))
  }
}

async function checkedAddresses(
  url: URL,
  hostname: string,
  guard: UrlGuardOptions,
  resolve: ResolveHost,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(hostname)
  assertSafeAddresses(url, addresses, guard)
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** Uses the resolver of the system, as other connections do, including the hosts file. */
async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const { lookup } = nodeBuiltin('node:dns').promises
  return (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
}
