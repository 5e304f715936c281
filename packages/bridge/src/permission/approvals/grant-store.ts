import { isJsonObject } from '@toolbridge/client/internal'
import { recordFolder } from '../../record-folder.ts'
import { canonicalJson } from '../rules/values.ts'

/** A permanent approval of one tool in the version that was approved. */
export interface Grant {
  /** The principal who approved. */
  readonly principal: string
  /** Name of the server. */
  readonly server: string
  /** Hash of the server definition and the path of its file. */
  readonly definition: string
  /** Raw name of the tool. */
  readonly tool: string
  /** Hash of the tool definition. */
  readonly pin: string
  /** The rules that asked. A rule added later asks again. */
  readonly asks: readonly string[]
}

/** Stores permanent approvals. A store that cannot read a grant reports it as absent. */
export interface GrantStore {
  /** Resolves with whether an equal grant is stored. */
  has(grant: Grant): Promise<boolean>
  /** Stores a grant. */
  add(grant: Grant): Promise<void>
  /** Removes an equal grant, if there is one. */
  remove(grant: Grant): Promise<void>
  /** Resolves with all grants of a principal. */
  list(principal: string): Promise<readonly Grant[]>
}

/** Creates a store in memory that ends with the process. */
export function memoryGrantStore(): GrantStore {
  const grants = new Map<string, Grant>()
  return {
    has: async (grant) => grants.has(grantKey(grant)),
    add: async (grant) => void grants.set(grantKey(grant), grant),
    remove: async (grant) => void grants.delete(grantKey(grant)),
    list: async (principal) => [...grants.values()].filter((grant) => grant.principal === principal),
  }
}

/** Creates a store in a private folder. Several processes may use it at once. */
export function fileGrantStore(folder: string): GrantStore {
  const records = recordFolder(folder)
  return {
    has: async (grant) => {
      const kept = await records.read(grantKey(grant)).catch(() => undefined)
      return isGrant(kept) && grantKey(kept) === grantKey(grant)
    },
    add: (grant) => records.write(grantKey(grant), grant),
    remove: (grant) => records.remove(grantKey(grant)),
    list: async (principal) =>
      (await records.list()).filter(isGrant).filter((grant) => grant.principal === principal),
  }
}

/** A key that is the same for equal grants only. */
function grantKey({ principal, server, definition, tool, pin, asks }: Grant): string {
  return canonicalJson([principal, server, definition, tool, pin, asks])
}

function isGrant(value: unknown): value is Grant {
  if (!isJsonObject(value) || !Array.isArray(value['asks'])) return false
  const texts = ['principal', 'server', 'definition', 'tool', 'pin'].map((key) => value[key])
  return [...texts, ...value['asks']].every((text) => typeof text === 'string')
}
