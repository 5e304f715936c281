import type { StoreKeys } from '@toolbridge/gateway'
import type { Invocation } from '../../command.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { withStoreKeys } from '../../store/with-store.ts'
import { print } from '../../terminal.ts'
import { whileWaiting } from '../../while-waiting.ts'

type Keys = Awaited<ReturnType<StoreKeys['status']>>

export async function showStatus(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  return withStoreKeys(invocation, async (store) => {
    const keys = await whileWaiting(terminal, 'counting', store.status())
    printResult(invocation, { via: store.via, keys }, () => {
      for (const line of linesOf(keys)) print(terminal, line)
    })
    return ExitCode.Ok
  })
}

function linesOf({ wrappingKeyId, preferredKeyId, dataKeys, values, rotation }: Keys): readonly string[] {
  const next = wrappingKeyId === preferredKeyId ? '' : `, ${preferredKeyId} after the next rotation`
  return [
    `key        ${wrappingKeyId}${next}`,
    `data keys  ${dataKeys.total}${note(dataKeys.retired, 'replaced')}${note(dataKeys.otherWrappingKey, 'encrypted with another key')}`,
    `values     ${values.total}${note(values.retired, 'encrypted with a replaced data key')}`,
    `rotation   ${describeRotation(rotation)}`,
  ]
}

function note(count: number, what: string): string {
  return count === 0 ? '' : `, ${count} ${what}`
}

function describeRotation({ state, startedAt, finishedAt }: Keys['rotation']): string {
  if (state === 'never') return 'never'
  return state === 'finished'
    ? `finished ${finishedAt}`
    : `unfinished since ${startedAt}; continue with: toolbridge lockbox rotate`
}
