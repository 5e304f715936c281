import type { GatewayLimits, GatewayOptions } from '@toolbridge/gateway'
import { type Options, type OptionTable, textOptions } from './command.ts'
import { isWhole, numberOption } from './number-option.ts'

/** Options of `serve` for a gateway that many use. */
export const operationOptions: OptionTable = {
  'allow-origin': { type: 'string', multiple: true },
  'trusted-proxy': { type: 'string', multiple: true },
  'rate-limit': { type: 'string' },
  'rate-burst': { type: 'string' },
  'max-calls': { type: 'string' },
  'max-sessions': { type: 'string' },
  'max-connections': { type: 'string' },
  'max-processes': { type: 'string' },
  'idle-timeout': { type: 'string' },
  'drain-timeout': { type: 'string' },
  metrics: { type: 'boolean' },
}

/** Help of these options. */
export const operationHelp: readonly string[] = [
  '  --allow-origin <origin>     pages of this origin may use the API and /mcp, such as https://app.example. Can be repeated',
  '  --trusted-proxy <address>   address or range of a proxy whose X-Forwarded-For, -Host and -Proto are read. Can be repeated',
  '  --rate-limit <n>            requests per second of one person. Default: 50 if other machines can connect, else no limit',
  '  --rate-burst <n>            requests at once of one person. Default: four times --rate-limit',
  '  --max-calls <n>             calls and workflows of one person at the same time. Default: 128',
  '  --max-sessions <n>          MCP sessions of one person. Default: 64',
  '  --max-connections <n>       connections of one person to servers. Default: 256',
  '  --max-processes <n>         those of them that are processes. Default: 128',
  '  --idle-timeout <minutes>    stop the servers of a person who does not use them. Default: 30',
  '  --drain-timeout <seconds>   time for running calls when the gateway is stopped; a second signal ends them. Default: 20',
  '  --metrics                   serve GET /metrics for Prometheus, with the bearer token in the file metrics-token of --data',
]

/** What these options mean. */
export interface Operation {
  readonly gateway: Pick<
    GatewayOptions,
    'allowedOrigins' | 'trustedProxies' | 'limits' | 'ownerIdleMs' | 'metrics'
  >
  readonly drainMs: number
}

const defaultDrainSeconds = 20
const maxDrainSeconds = 86_400
/** The longest time of a timer, in minutes. */
const maxMinutes = 35_791

/** Reads the options. Throws if a number is invalid; the gateway checks origins and addresses. */
export function operationFrom(options: Options): Operation {
  const idleMinutes = numberOption(options, 'idle-timeout', 'minutes, such as 30', isTimer)
  const drainSeconds = numberOption(
    options,
    'drain-timeout',
    'seconds, such as 20, or 0 to end calls at once',
    (value) => value >= 0 && value <= maxDrainSeconds,
  )
  return {
    gateway: {
      allowedOrigins: textOptions(options, 'allow-origin'),
      trustedProxies: textOptions(options, 'trusted-proxy'),
      limits: limitsFrom(options),
      metrics: options['metrics'] === true,
      ...(idleMinutes === undefined ? {} : { ownerIdleMs: idleMinutes * 60_000 }),
    },
    drainMs: (drainSeconds ?? defaultDrainSeconds) * 1_000,
  }
}

function isTimer(minutes: number): boolean {
  return minutes > 0 && minutes <= maxMinutes
}

const countOptions: Readonly<Record<Exclude<keyof GatewayLimits, 'requestsPerSecond'>, string>> = {
  burst: 'rate-burst',
  calls: 'max-calls',
  sessions: 'max-sessions',
  connections: 'max-connections',
  processes: 'max-processes',
}

function limitsFrom(options: Options): GatewayLimits {
  const requestsPerSecond = numberOption(
    options,
    'rate-limit',
    'requests per second, such as 50',
    (value) => value > 0,
  )
  const counts = Object.entries(countOptions).flatMap(([limit, name]) => {
    const count = numberOption(options, name, 'a whole number above 0', isWhole(1))
    return count === undefined ? [] : [[limit, count] as const]
  })
  return {
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    ...Object.fromEntries(counts),
  }
}
