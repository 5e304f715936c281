import type { TraceContext } from '@toolbridge/client'
import type { Journal } from './events.ts'

/** Traces calls from the caller to the servers. `@toolbridge/bridge/telemetry` implements it for OpenTelemetry. */
export interface Telemetry {
  /** Receives every event synchronously, in the asynchronous context of its cause. */
  readonly journal: Journal
  /** Returns the trace context to send to the server for a call or request whose start was received. */
  traceOf(id: string): TraceContext | undefined
}
