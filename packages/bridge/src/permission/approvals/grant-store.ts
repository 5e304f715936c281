import { isJsonObject } from '@toolbridge/client/internal'
import { recordFolder } from '../../record-folder.ts'
import { canonicalJson } from '../rules/values.ts'

/** A person's word that calls of a tool are allowed from now on: of this tool as it was then, and of no other. */
export interface Grant {
  readonly principal: string
  readonly server: string
  /** Hash of the server's definition and of the file that it stands in. */
  readonly definition: string
  /** The server's own name for the tool. */
  readonly tool: string
  /** Hash of what the tool said about itself. */
  readonly pin: string
  /** What asked; a rule that asks for more asks again. */
  readonly asks: readonly string[]
}

/** Keeps what people granted for good. Whoever cannot say that something was granted says that it was not. */
export interface GrantStore {
  has(grant: Grant): Promise<boolean>
  add(grant: Grant): Promise<void>
  remove(grant: Grant): Promise<void>
  /** All that a principal granted. */
  list(principal: string): Promise<readonly Grant[]>
}

/** Grants that end with the process. */
export function memoryGrantStore(): GrantStore {
  const grants = new Map<string, Grant>()
  return {
    has: async (grant) => grants.has(grantKey(grant)),
    add: async (grant) => void grants.set(grantKey(grant), grant),
    remove: async (grant) => void grants.delete(grantKey(grant)),
    list: async (principal) => [...grants.values()].filter((grant) => grant.principal === principal),
  }
}

/** Grants in a folder of their owner, safe to change from any number of processes at once. */
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

/** A text that is the same for equal grants and no others. */
function grantKey({ principal, server, definition, tool, pin, asks }: Grant): string {
  return canonicalJson([principal, server, definition, tool, pin, asks])
}

function isGrant(value: unknown): value is Grant {
  if (!isJsonObject(value) || !Array.isArray(value['asks'])) return false
  const texts = ['principal', 'server', 'definition', 'tool', 'pin'].map((key) => value[key])
  return [...texts, ...value['asks']].every((text) => typeof text === 'string')
}
