import type { ServerSpec } from '@toolbridge/bridge'
import type { Options, OptionTable } from './command.ts'
import { numberOption } from './number-option.ts'

/** Options of commands that start servers. */
export const timeoutOptions: OptionTable = {
  'start-timeout': { type: 'string' },
  timeout: { type: 'string' },
}

/** Help for `timeoutOptions`. */
export const timeoutHelp: readonly string[] = [
  '  --start-timeout <seconds>   time for a server to start. Default: timeouts.startMs of its entry, else 30',
  '  --timeout <seconds>         time for a call. Default: timeouts.callMs of its entry, else 60',
]

/** Returns a function that sets the timeouts of the command line in a definition. Throws if one is invalid. */
export function timeoutsFrom(options: Options): (spec: ServerSpec) => ServerSpec {
  const startMs = millisecondsOf(options, 'start-timeout')
  const callMs = millisecondsOf(options, 'timeout')
  if (startMs === undefined && callMs === undefined) return (spec) => spec
  const given = {
    ...(startMs === undefined ? {} : { startMs }),
    ...(callMs === undefined ? {} : { callMs }),
  }
  return (spec) => ({ ...spec, timeouts: { ...spec.timeouts, ...given } })
}

/** The time for a call that the command line sets, in milliseconds. Throws if it is invalid. */
export function callTimeoutOf(options: Options): number | undefined {
  return millisecondsOf(options, 'timeout')
}

/** Names the option beside the field in the error of a timeout. */
export function namingOption(message: string): string {
  return message
    .replaceAll('(timeouts.startMs)', '(timeouts.startMs or --start-timeout)')
    .replaceAll(' timeouts.callMs)', ' timeouts.callMs or --timeout)')
}

/** The longest time of a timer, in seconds. */
const maxSeconds = 2_147_483

function millisecondsOf(options: Options, name: string): number | undefined {
  const isTimer = (seconds: number): boolean => seconds > 0 && seconds <= maxSeconds
  const seconds = numberOption(options, name, 'seconds, such as 30 or 0.5', isTimer)
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}
