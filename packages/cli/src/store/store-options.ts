import { resolve } from 'node:path'
import type { GatewayOptions } from '@toolbridge/gateway'
import { type Options, type OptionTable, textOption } from '../command.ts'
import { dataFolder } from '../data-folder.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Options of commands that use the store of the gateway. */
export const storeOptions: OptionTable = {
  data: { type: 'string' },
  database: { type: 'string' },
  'key-file': { type: 'string' },
}

/** Help about the options that say where the store and its key are. */
export const storeHelp: readonly string[] = [
  '  --data       folder for settings and keys. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
  '  --database   PostgreSQL URL for the settings instead (or TOOLBRIDGE_DATABASE_URL, to hide the password)',
  '  --key-file   file with the key that encrypts them. Default: TOOLBRIDGE_KEY_FILE, else "key" in the data folder. Instead,',
  '               TOOLBRIDGE_KEY can contain the key, 32 bytes as hex or base64, and TOOLBRIDGE_PREVIOUS_KEYS earlier ones',
]

/** Where the store and its key are. */
export type StoreLocation = Pick<GatewayOptions, 'dataFolder' | 'databaseUrl' | 'key'>

/** Reads where the store and its key are from the command line and the environment. */
export function storeLocation(options: Options, terminal: Terminal): StoreLocation {
  const databaseUrl = databaseOption(options, terminal)
  const key = keySource(options, terminal)
  return {
    dataFolder: dataFolder(options, terminal),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(key === undefined ? {} : { key }),
  }
}

/** No message quotes the value: it may contain a password. */
function databaseOption(options: Options, terminal: Terminal): string | undefined {
  const named = textOption(options, 'database')
  const url = named ?? terminal.env['TOOLBRIDGE_DATABASE_URL']
  if (url === undefined || /^postgres(?:ql)?:\/\/./.test(url)) return url
  const source = named === undefined ? 'TOOLBRIDGE_DATABASE_URL' : '--database'
  throw new UsageError(
    `invalid ${source}: expected a PostgreSQL URL such as postgres://user@host/name. For a folder use --data`,
  )
}

/** No message quotes a key. */
function keySource(options: Options, { env, cwd }: Terminal): GatewayOptions['key'] {
  const named = textOption(options, 'key-file')
  if (named !== undefined) return { file: resolve(cwd, named) }
  const { TOOLBRIDGE_KEY: key, TOOLBRIDGE_KEY_FILE: file, TOOLBRIDGE_PREVIOUS_KEYS: previous } = env
  if (key !== undefined && file !== undefined)
    throw new UsageError('TOOLBRIDGE_KEY and TOOLBRIDGE_KEY_FILE are both set: set only one of them')
  if (key === undefined && previous !== undefined)
    throw new UsageError(
      'TOOLBRIDGE_PREVIOUS_KEYS needs TOOLBRIDGE_KEY. A key file has earlier keys as further lines',
    )
  if (key !== undefined) return { key, previous: keysIn(previous) }
  return file === undefined ? undefined : { file: resolve(cwd, file) }
}

function keysIn(list = ''): readonly string[] {
  const keys = list.split(',').map((key) => key.trim())
  return keys.filter((key) => key !== '')
}
