import type { BridgeEvent } from '@toolbridge/bridge'
import { gatewayInfo } from '../gateway-info.ts'
import { Counter } from './counter.ts'
import { Histogram } from './histogram.ts'
import type { Metric } from './prometheus-text.ts'

/** Values that the gateway has when metrics are read. */
export interface GatewayState {
  readonly isDraining: boolean
  readonly runningCalls: number
  readonly sessions: number
  /** Owners whose servers run. */
  readonly openOwners: number
  /** Servers of all owners by their state. */
  readonly servers: ReadonlyMap<string, number>
  /** Finished calls that are not stored yet. */
  readonly unstoredCalls: number
}

type CallFinished = Extract<BridgeEvent, { type: 'call.finished' }>

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts what a gateway does. Nothing here names a person, a server, a tool or an address. */
export class GatewayMetrics {
  readonly #requests = new Counter<'method' | 'route' | 'status'>()
  readonly #problems = new Counter<'code'>()
  readonly #calls = new Counter<'outcome'>()
  readonly #durations = new Histogram(seconds)
  #lostCalls = 0

  /** Counts a response. `route` is the pattern of the path, such as `/api/keys/:id`. */
  countResponse(method: string, route: string, status: number): void {
    this.#requests.add({ method: methods.has(method) ? method : 'other', route, status: String(status) })
  }

  /** Counts a problem document by its code. */
  countProblem(code: string): void {
    this.#problems.add({ code })
  }

  countCall({ outcome, latencyMs }: Pick<CallFinished, 'outcome' | 'latencyMs'>): void {
    this.#calls.add({ outcome })
    this.#durations.observe(latencyMs / 1_000)
  }

  /** Counts finished calls that could not be stored. */
  countLostCalls(count: number): void {
    this.#lostCalls += count
  }

  read(state: GatewayState): readonly Metric[] {
    return [...this.#counted(), ...stateMetrics(state), ...processMetrics()]
  }

  #counted(): readonly Metric[] {
    return [
      counter('toolbridge_http_requests_total', 'HTTP responses.', this.#requests.samples()),
      counter('toolbridge_problems_total', 'Refused and failed HTTP requests.', this.#problems.samples()),
      counter('toolbridge_calls_total', 'Finished tool calls.', this.#calls.samples()),
      {
        name: 'toolbridge_call_duration_seconds',
        type: 'histogram',
        help: 'Duration of tool calls, with the time that people took to answer.',
        samples: this.#durations.samples(),
      },
      counter('toolbridge_activity_lost_total', 'Finished calls that could not be stored.', [
        { value: this.#lostCalls },
      ]),
    ]
  }
}

function stateMetrics(state: GatewayState): readonly Metric[] {
  const servers = [...state.servers].map(([name, value]) => ({ labels: { state: name }, value }))
  return [
    gauge('toolbridge_info', 'Version of the gateway.', [
      { labels: { version: gatewayInfo.version }, value: 1 },
    ]),
    gauge('toolbridge_draining', '1 while the gateway drains.', [{ value: state.isDraining ? 1 : 0 }]),
    gauge('toolbridge_calls_running', 'Running calls and workflows.', [{ value: state.runningCalls }]),
    gauge('toolbridge_mcp_sessions', 'Open sessions of MCP hosts.', [{ value: state.sessions }]),
    gauge('toolbridge_owners_open', 'Owners whose servers run.', [{ value: state.openOwners }]),
    gauge('toolbridge_servers', 'Servers of all owners.', servers),
    gauge('toolbridge_activity_unstored', 'Finished calls that are not stored yet.', [
      { value: state.unstoredCalls },
    ]),
  ]
}

/** By the names that every Prometheus client uses. */
function processMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    counter('process_cpu_seconds_total', 'CPU time.', [{ value: (user + system) / 1e6 }]),
    gauge('process_resident_memory_bytes', 'Resident memory.', [{ value: process.memoryUsage.rss() }]),
    gauge('process_start_time_seconds', 'Start, as seconds since 1970.', [
      { value: Math.round(performance.timeOrigin / 1_000) },
    ]),
  ]
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, type: 'counter', help, samples }
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, type: 'gauge', help, samples }
}
