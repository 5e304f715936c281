import type { StoreKeysResponse, RotationResponse } from '@toolbridge/api'
import type { KeyStatus, RotationReport } from '@toolbridge/lockbox'

/** Converts the status of keys for JSON. */
export function storeKeysResponse(status: KeyStatus): StoreKeysResponse {
  const { state, startedAt, finishedAt } = status.rotation
  return {
    ...status,
    rotation: {
      state,
      ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
      ...(finishedAt === undefined ? {} : { finishedAt: finishedAt.toISOString() }),
    },
  }
}

/** Converts the report of a rotation for JSON. */
export function rotationResponse({ status, ...report }: RotationReport): RotationResponse {
  return { ...report, keys: storeKeysResponse(status) }
}
