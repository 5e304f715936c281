import { type ConfigChange, keptSecretSchema } from '@toolbridge/api'
import { valueAt } from '@toolbridge/client/internal'
import type { SettingChange } from '@toolbridge/lockbox'
import { type ClearServers, maskServers } from './mask-servers.ts'

/** A version of saved servers. */
export interface NumberedServers {
  readonly version: number
  readonly servers: ClearServers
}

/** Adds to each change the values that cannot be secrets. */
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
  const value = valueAt(document, pointer)
  return value === undefined || keptSecretSchema.safeParse(value).success ? undefined : JSON.stringify(value)
}
