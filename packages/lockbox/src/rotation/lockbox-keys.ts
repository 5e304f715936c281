import type { Database } from '../database/database.ts'
import { LockboxError } from '../errors.ts'
import type { OwnerKeys } from '../sealing/owner-keys.ts'
import type { WrappingKeys } from '../sealing/wrapping-keys.ts'
import { createSuccessors, type DataKeyRotation, replaceRetired } from './data-keys.ts'
import { type KeyStatus, readKeyStatus } from './key-status.ts'
import { finishWrappingKey, lockKeys, rewrapAll, startWrappingKey } from './wrapping-key.ts'

/** Options of `LockboxKeys.rotate`. */
export type RotateOptions = {
  /**
   * `data`: new data keys, and all values encrypted with them. `wrapping`: the data keys encrypted with a new key; a key file gets
   * one, any other source must have it already. Default: `all`.
   */
  readonly keys?: 'all' | 'data' | 'wrapping'
  /** Called after every batch. Default: nothing. */
  readonly onProgress?: (progress: RotationProgress) => void
  /** Stops after the current batch; rejects with the signal's reason. The next rotation continues. */
  readonly signal?: AbortSignal
}

/** Progress of one step of a rotation. */
export type RotationProgress = {
  /** `wrapping`: data keys are encrypted with the new key. `keys`: owners get new data keys. `values`: values get encrypted. */
  readonly step: 'wrapping' | 'keys' | 'values'
  /** Number of those that are done. */
  readonly done: number
  /** Number of all, as counted at the start. */
  readonly total: number
}

/** What a rotation did. */
export type RotationReport = {
  /** Whether everything is encrypted with the new keys. Otherwise values or keys are unreadable, or were changed all the time. */
  readonly isComplete: boolean
  /** Data keys that were encrypted with the key of `status`. */
  readonly rewrappedKeys: number
  /** Owners that got a new data key. */
  readonly newDataKeys: number
  /** Values that were encrypted again. */
  readonly resealedValues: number
  /** Data keys that were deleted. */
  readonly deletedDataKeys: number
  /** Files that earlier keys were moved to. Only backups from before need them. */
  readonly retiredKeyFiles: readonly string[]
  /** The keys after the rotation. */
  readonly status: KeyStatus
}

/** The keys of the store. */
export interface LockboxKeys {
  /** Counts keys and values, and says whether a rotation is unfinished. */
  status(): Promise<KeyStatus>
  /**
   * Replaces keys in batches while others read and write. Continues an unfinished rotation. Several processes may rotate at the
   * same time. Rejects with `new_key_missing` if only the wrapping key is to be replaced and there is no other.
   */
  rotate(options?: RotateOptions): Promise<RotationReport>
}

/** What the keys of a lockbox need. */
export type LockboxKeysOptions = {
  readonly database: Database
  readonly wrapping: WrappingKeys
  readonly ownerKeys: OwnerKeys
  readonly now: () => Date
}

/** Creates the keys of a lockbox. */
export function createLockboxKeys(options: LockboxKeysOptions): LockboxKeys {
  const { database, wrapping } = options
  const status = async (): Promise<KeyStatus> => {
    await wrapping.reload()
    return readKeyStatus(database, wrapping.preferred.keyId)
  }
  return {
    status,
    async rotate({ keys = 'all', onProgress = () => {}, signal } = {}) {
      const rotation = { ...options, onProgress, signal, status }
      if (keys === 'wrapping' && wrapping.add === undefined) requireOtherKey(await status())
      const wrapped = keys === 'data' ? undefined : await rotateWrappingKey(rotation)
      const data = keys === 'wrapping' ? undefined : await rotateDataKeys(rotation)
      const after = await status()
      return { ...nothing, ...wrapped, ...data, isComplete: isComplete(after, keys), status: after }
    },
  }
}

function requireOtherKey({ wrappingKeyId, preferredKeyId, dataKeys }: KeyStatus): void {
  if (wrappingKeyId !== preferredKeyId || dataKeys.otherWrappingKey > 0) return
  const message =
    `the lockbox is encrypted with the given key ${preferredKeyId} already; ` +
    'give a new key, and this one as the previous key'
  throw new LockboxError('new_key_missing', message, { data: { keyId: preferredKeyId } })
}

type Rotation = LockboxKeysOptions &
  DataKeyRotation & {
    readonly onProgress: (progress: RotationProgress) => void
    readonly status: () => Promise<KeyStatus>
  }

const nothing = {
  rewrappedKeys: 0,
  newDataKeys: 0,
  resealedValues: 0,
  deletedDataKeys: 0,
  retiredKeyFiles: [],
} as const

async function rotateWrappingKey(
  rotation: Rotation,
): Promise<Pick<RotationReport, 'rewrappedKeys' | 'retiredKeyFiles'>> {
  const { database, wrapping, signal } = rotation
  signal?.throwIfAborted()
  await startWrappingKey(database, wrapping)
  const { dataKeys } = await rotation.status()
  const rewrapped = counter(rotation, 'wrapping', dataKeys.otherWrappingKey)
  await rewrapAll(database, wrapping, rewrapped.add, signal)
  return { rewrappedKeys: rewrapped.count(), retiredKeyFiles: await finishWrappingKey(database, wrapping) }
}

async function rotateDataKeys(
  rotation: Rotation,
): Promise<Pick<RotationReport, 'newDataKeys' | 'resealedValues' | 'deletedDataKeys'>> {
  const { database, now, signal } = rotation
  signal?.throwIfAborted()
  const generation = await startGeneration(database, now())
  const before = await rotation.status()
  const created = counter(rotation, 'keys', before.dataKeys.total - before.dataKeys.retired)
  await createSuccessors(rotation, generation, created.add)
  rotation.ownerKeys.forget()
  const resealed = counter(rotation, 'values', (await rotation.status()).values.retired)
  let deletedDataKeys = 0
  const onKeys = (count: number): void => void (deletedDataKeys += count)
  if (await replaceRetired(rotation, { onRows: resealed.add, onKeys }))
    await finishGeneration(database, generation, now())
  return { newDataKeys: created.count(), resealedValues: resealed.count(), deletedDataKeys }
}

type Counter = { readonly add: (count: number) => void; readonly count: () => number }

/** Counts what a step has done, and reports it. Others may add rows meanwhile, so the total grows with the count. */
function counter({ onProgress }: Rotation, step: RotationProgress['step'], total: number): Counter {
  let done = 0
  return {
    add(count) {
      done += count
      onProgress({ step, done, total: Math.max(total, done) })
    },
    count: () => done,
  }
}

/** Starts the next generation of data keys, unless the latest is unfinished. Returns its number. */
async function startGeneration(database: Database, at: Date): Promise<number> {
  return database.maintain(async (query) => {
    await lockKeys(query)
    await query(
      `update lockbox.key_rotation set generation = generation + 1, started_at = $1, finished_at = null
       where generation = finished_generation`,
      [at],
    )
    const [row] = await query<{ generation: number }>('select generation from lockbox.key_rotation')
    return row?.generation ?? 1
  })
}

async function finishGeneration(database: Database, generation: number, at: Date): Promise<void> {
  await database.maintain((query) =>
    query(
      `update lockbox.key_rotation set finished_generation = generation, finished_at = $2
       where generation = $1 and finished_generation <> generation`,
      [generation, at],
    ),
  )
}

function isComplete({ dataKeys, values, rotation }: KeyStatus, keys: RotateOptions['keys']): boolean {
  const isWrapped = keys === 'data' || dataKeys.otherWrappingKey === 0
  const isSealed = keys === 'wrapping' || (values.retired === 0 && rotation.state === 'finished')
  return isWrapped && isSealed
}
