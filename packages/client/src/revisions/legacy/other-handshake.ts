import type { ServerDescription } from '../../model/capability.ts'
import type { HostOptions } from '../codec.ts'
import { unusableHandshake } from '../negotiation-errors.ts'
import { readHandshake } from './initialize.ts'

/** Reads a handshake with an unknown revision, if the host accepts any. Otherwise throws what is wrong with it. */
export function otherHandshake(result: unknown, { acceptsAnyVersion }: HostOptions): ServerDescription {
  const description = acceptsAnyVersion === true ? readHandshake(result, anyVersion) : undefined
  if (description === undefined) throw unusableHandshake(result)
  return description
}

/** A revision that can be sent in a header. */
function anyVersion(answered: unknown): string | undefined {
  return typeof answered === 'string' && /^[\w.-]{1,64}$/.test(answered) ? answered : undefined
}
