import type { Migration } from '../migrate.ts'
import { sealedStore } from './0001-sealed-store.ts'
import { audit } from './0003-audit.ts'
import { records } from './0004-records.ts'
import { bearerTokens } from './0005-bearer-tokens.ts'
import { maintenance } from './0006-maintenance.ts'
import { activityBatches } from './0007-activity-batches.ts'

/** Every step of the schema, oldest first. The number 2 was never released. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'sealed-store', sql: sealedStore },
  { number: 3, name: 'audit', sql: audit },
  { number: 4, name: 'records', sql: records },
  { number: 5, name: 'bearer-tokens', sql: bearerTokens },
  { number: 6, name: 'maintenance', sql: maintenance },
  { number: 7, name: 'activity-batches', sql: activityBatches },
]
