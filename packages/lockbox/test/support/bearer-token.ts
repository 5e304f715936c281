import { createHash } from 'node:crypto'
import type { BearerToken } from '../../src/bearer-tokens.ts'

/** An API key of an owner that expires in the year 2100. */
export function tokenOf(
  owner: string,
  id: string,
  changes: Partial<BearerToken> = {},
): Omit<BearerToken, 'lastUsedAt'> {
  return {
    id,
    owner,
    kind: 'key',
    digest: createHash('sha256').update(id).digest(),
    name: 'laptop',
    role: 'member',
    scopes: ['api', 'mcp'],
    createdAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: new Date('2100-01-01T00:00:00Z'),
    ...changes,
  }
}
