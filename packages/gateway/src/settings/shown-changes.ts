import type { ConfigChange } from '@toolbridge/api'
import { keptSecretSchema } from '@toolbridge/api'
import type { SettingChange } from '@toolbridge/lockbox'
import { type ClearServers, maskServers } from './mask-servers.ts'

/** A version of saved servers. */
export interface NumberedServers {
  readonly version: number
  readonly servers: ClearServers
}

/** Adds to each change the values that are surely no secrets. */
export function shownChanges(
  changes: readonly SettingChange[],
  before: NumberedServers,
  after: NumberedServers,
): readonly ConfigChange[] {
  const [then, now] = [maskedDocument(before), maskedDocument(after)]
  return changes.map((change) => {
    const [beforeText, afterText] = [shownText(then, change.path), shownText(now, change.path)]
    return {
      ...change,
      ...(beforeText === undefined ? {} : { beforeText }),
      ...(afterText === undefined ? {} : { afterText }),
    }
  })
}

function maskedDocument({ servers, version }: NumberedServers): object {
  return { mcpServers: maskServers(servers, version) }
}

/** Undefined if the place does not exist, or has a reference: its value may be a secret. */
function shownText(document: object, pointer: string): string | undefined {
  const value = keysIn(pointer).reduce<unknown>(ownValue, document)
  return value === undefined || keptSecretSchema.safeParse(value).success ? undefined : JSON.stringify(value)
}

function keysIn(pointer: string): readonly string[] {
  const [, ...keys] = pointer.split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function ownValue(container: unknown, key: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) return undefined
  return (container as Readonly<Record<string, unknown>>)[key]
}
