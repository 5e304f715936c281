import type { StoreKeys } from '@toolbridge/gateway'
import { printable } from '@toolbridge/client/internal'
import type { Invocation, Options } from '../../command.ts'
import { counted } from '../../display/counted.ts'
import { printResult } from '../../display/print-result.ts'
import { ProgressLine } from '../../display/progress-line.ts'
import { ExitCode } from '../../exit-code.ts'
import { withStoreKeys } from '../../store/with-store.ts'
import { print, printError, type Terminal } from '../../terminal.ts'

type Report = Awaited<ReturnType<StoreKeys['rotate']>>

export async function rotateKeys(invocation: Invocation): Promise<ExitCode> {
  const { terminal, options } = invocation
  return withStoreKeys(invocation, async (store) => {
    const report = await rotateWithProgress(store, terminal, options)
    printResult(invocation, { via: store.via, ...report }, () => printReport(terminal, report))
    if (chosenKeys(options) === 'all' && keptWrappingKey(report))
      printError(terminal, `toolbridge: ${kept(report)}`)
    if (report.isComplete) return ExitCode.Ok
    printError(terminal, `toolbridge: ${incomplete(report)}`)
    return ExitCode.Storage
  })
}

const steps = { wrapping: 'data keys encrypted', keys: 'new data keys', values: 'values encrypted' } as const

async function rotateWithProgress(store: StoreKeys, terminal: Terminal, options: Options): Promise<Report> {
  const line = new ProgressLine(terminal)
  try {
    return await store.rotate({
      keys: chosenKeys(options),
      onProgress: ({ step, done, total }) => line.show({ progress: done, total, message: steps[step] }),
      signal: terminal.signal,
    })
  } finally {
    line.clear()
  }
}

function chosenKeys(options: Options): 'all' | 'data' | 'wrapping' {
  const [data, wrapping] = [options['data-keys'] === true, options['wrapping-key'] === true]
  if (data === wrapping) return 'all'
  return data ? 'data' : 'wrapping'
}

function printReport(terminal: Terminal, report: Report): void {
  const { newDataKeys, resealedValues, rewrappedKeys, retiredKeyFiles, keys } = report
  print(
    terminal,
    `${counted(newDataKeys, 'new data key')}, ${counted(resealedValues, 'value')} encrypted again`,
  )
  print(terminal, `${counted(rewrappedKeys, 'data key')} encrypted with key ${keys.wrappingKeyId}`)
  for (const file of retiredKeyFiles)
    print(terminal, `The former key is in ${printable(file)}. Only backups from before need it.`)
}

/** A key that is in no file is replaced only if the source has another one. */
function keptWrappingKey({ rewrappedKeys, retiredKeyFiles }: Report): boolean {
  return rewrappedKeys === 0 && retiredKeyFiles.length === 0
}

function kept({ keys }: Report): string {
  return (
    `the data keys are encrypted with key ${keys.wrappingKeyId} as before, because there is no other; to replace it, set a new one ` +
    'in TOOLBRIDGE_KEY and this one in TOOLBRIDGE_PREVIOUS_KEYS, for the gateway as well, and rotate again'
  )
}

function incomplete({ keys: { dataKeys, values, rotation } }: Report): string {
  const left = [
    ...(values.retired === 0 ? [] : [counted(values.retired, 'value')]),
    ...(dataKeys.otherWrappingKey === 0 ? [] : [counted(dataKeys.otherWrappingKey, 'data key')]),
  ]
  const what = left.length === 0 ? 'some values' : left.join(' and ')
  return rotation.state === 'unfinished'
    ? `others were changing ${what}; run the command again`
    : `not decrypted, and encrypted with the former keys as before: ${what}; see toolbridge lockbox verify`
}
