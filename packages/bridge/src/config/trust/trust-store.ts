import { createHash } from 'node:crypto'
import { DeniedError } from '../../errors.ts'
import { isJsonObject } from '@toolbridge/client/internal'
import { recordFolder } from '../../record-folder.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { specHash } from '../spec/spec-hash.ts'

/**
 * Which entries of a project's own files a person agreed to start. Kept by hash: a changed entry is another one. Whoever
 * cannot say yes says no.
 */
export interface TrustStore {
  isTrusted(hash: string): Promise<boolean>
  /** The note says to a person what was trusted; it decides nothing. */
  trust(hash: string, note: string): Promise<void>
  forget(hash: string): Promise<void>
}

/**
 * Identifies an entry of a file: what it starts and what may be done with that, and the file, since a relative path means
 * another program elsewhere. Switching it off and on changes nothing, nor does whether others wait for it.
 */
export function entryHash(spec: ServerSpec): string {
  return createHash('sha256')
    .update(JSON.stringify([specHash({ ...spec, enabled: true }), spec.source.file]))
    .digest('hex')
}

/** Whether an entry came with a project, so that somebody else may have written it. */
export function needsTrust({ source }: ServerSpec): boolean {
  return source.kind === 'project'
}

/** Throws a `DeniedError` for an entry of a project that nobody agreed to. A store that fails has not agreed. */
export async function requireTrust(spec: ServerSpec, store: TrustStore): Promise<void> {
  if (!needsTrust(spec) || (await store.isTrusted(entryHash(spec)).catch(() => false))) return
  const message = `server "${spec.name}" is defined by the project, in ${spec.source.file}, and nobody has trusted that entry yet`
  throw new DeniedError(message, { code: 'untrusted' })
}

/** Trust that ends with the process. */
export function memoryTrustStore(): TrustStore {
  const trusted = new Set<string>()
  return {
    isTrusted: async (hash) => trusted.has(hash),
    trust: async (hash) => void trusted.add(hash),
    forget: async (hash) => void trusted.delete(hash),
  }
}

/**
 * Trust that is kept in a folder of its owner: one file for each entry, so that any number of processes may change it at
 * once. A file that others could have written counts for nothing.
 */
export function fileTrustStore(folder: string): TrustStore {
  const records = recordFolder(folder)
  return {
    async isTrusted(hash) {
      const record = await records.read(checkedHash(hash)).catch(() => undefined)
      return isJsonObject(record) && record['hash'] === hash
    },
    trust: async (hash, note) =>
      records.write(checkedHash(hash), { hash, note, trustedAt: new Date().toISOString() }),
    forget: async (hash) => records.remove(checkedHash(hash)),
  }
}

function checkedHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError('that is not the hash of an entry')
  return hash
}
