import { createHash } from 'node:crypto'
import { isJsonObject } from '@toolbridge/client/internal'
import { DeniedError } from '../../errors.ts'
import { recordFolder } from '../../record-folder.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { specHash } from '../spec/spec-hash.ts'

/** Entries of project files that the user trusts, by hash: a changed entry needs trust again. */
export interface TrustStore {
  /** Reports whether an entry is trusted. A store that cannot tell returns false or rejects. */
  isTrusted(hash: string): Promise<boolean>
  /** Trusts an entry. The note describes the entry to people and has no effect. */
  trust(hash: string, note: string): Promise<void>
  /** Revokes the trust in an entry. */
  forget(hash: string): Promise<void>
}

/**
 * Hashes an entry for trust: its definition and its file, since a relative path is a different program in another folder.
 * `enabled` and `required` are excluded.
 */
export function entryHash(spec: ServerSpec): string {
  return createHash('sha256')
    .update(JSON.stringify([specHash({ ...spec, enabled: true }), spec.source.file]))
    .digest('hex')
}

/** Reports whether an entry comes from a project file, which someone else may have written. */
export function needsTrust({ source }: ServerSpec): boolean {
  return source.kind === 'project'
}

/** Throws a `DeniedError` if an entry needs trust and is not trusted. A store that fails counts as untrusted. */
export async function requireTrust(spec: ServerSpec, store: TrustStore): Promise<void> {
  if (!needsTrust(spec) || (await store.isTrusted(entryHash(spec)).catch(() => false))) return
  const message = `server "${spec.name}" is defined in ${spec.source.file} of the project, and the entry is not trusted`
  throw new DeniedError(message, { code: 'untrusted' })
}

/** Creates a trust store in memory. */
export function memoryTrustStore(): TrustStore {
  const trusted = new Set<string>()
  return {
    isTrusted: async (hash) => trusted.has(hash),
    trust: async (hash) => void trusted.add(hash),
    forget: async (hash) => void trusted.delete(hash),
  }
}

/**
 * Creates a trust store in a folder, with one file per entry, so that several processes can use it. Files that other
 * users could have written are ignored.
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
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError('invalid entry hash')
  return hash
}
