import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type KeySource, type Lockbox, LockboxError, openLockbox } from '@toolbridge/lockbox'

/** Where the store of a gateway is. */
export interface StoreOptions {
  /** Data folder of the gateway. */
  readonly dataFolder: string
  /** URL of a PostgreSQL database. Default: the embedded database in the data folder. */
  readonly databaseUrl?: string
  /** Source of the key. Default: the file `key` in the data folder. */
  readonly key?: KeySource
  /** Aborts the opening. */
  readonly signal?: AbortSignal
}

/** Opens a store in this process. Creates nothing: rejects with `unreachable` if there is none. */
export async function openExistingStore(options: StoreOptions): Promise<Lockbox> {
  const { dataFolder, databaseUrl, key, signal } = options
  const folder = join(dataFolder, 'lockbox')
  if (databaseUrl === undefined && !existsSync(join(folder, 'database'))) throw noStore(dataFolder)
  return openLockbox({
    location: databaseUrl ?? folder,
    keyring: key ?? { file: join(dataFolder, 'key') },
    create: false,
    ...(signal === undefined ? {} : { signal }),
  })
}

function noStore(dataFolder: string): LockboxError {
  const message = `${dataFolder} has no store; "toolbridge serve" creates it`
  return new LockboxError('unreachable', message, { data: { folder: dataFolder } })
}
