import {
  type Attributes,
  type Context,
  context,
  type Meter,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { TraceContext } from '@toolbridge/client'
import { countOf } from '../sinks/counters.ts'
import type { BridgeEvent, Journal } from '../events/events.ts'
import { messageWithoutCode } from '../events/failure-of.ts'
import { contextFrom, traceparentOf } from './trace-context.ts'
import {
  codeAttributes,
  connectionAttributes,
  errorAttributes,
  executionAttributes,
  itemAttributes,
  requestAttributes,
  toolAttributes,
} from './attributes.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import type { Telemetry } from '../events/telemetry-port.ts'

export type { Telemetry } from '../events/telemetry-port.ts'

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** Default: the global provider. */
  readonly tracerProvider?: TracerProvider
  /** Default: the global provider. */
  readonly meterProvider?: MeterProvider
  /** Sends the baggage of the host to the servers, which may belong to third parties. Default: false. */
  readonly sendsBaggage?: boolean
}

/**
 * Creates spans and metrics by the OpenTelemetry conventions for MCP; pass it to `openBridge` as `telemetry`. The span of
 * a call is a child of the caller's span and is propagated to the server. No argument, result or secret is recorded.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { tracerProvider = trace, meterProvider = metrics } = options
  const { name, version } = scope
  return new OpenTelemetry(
    tracerProvider.getTracer(name, version),
    meterProvider.getMeter(name, version),
    options.sendsBaggage ?? false,
  )
}

const scope = { name: '@toolbridge/bridge', version: '0.1.0' }

type Event<T extends BridgeEvent['type']> = BridgeEvent & { readonly type: T }

/** A request that begins. */
interface Following {
  readonly id: string
  readonly name: string
  readonly server: string
  readonly parent: Context
}

/** A request or a run of code in flight. */
interface Followed {
  readonly span: Span
  readonly context: Context
  readonly attributes: Attributes
}

class OpenTelemetry implements Telemetry {
  readonly journal: Journal = (event) => this.#hear(event)
  readonly #tracer: Tracer
  readonly #instruments: Instruments
  readonly #sendsBaggage: boolean
  readonly #calls = new Map<string, Followed>()
  /** The connection attributes of each server. */
  readonly #servers = new Map<string, Attributes>()

  constructor(tracer: Tracer, meter: Meter, sendsBaggage: boolean) {
    this.#tracer = tracer
    this.#instruments = createInstruments(meter)
    this.#sendsBaggage = sendsBaggage
  }

  traceOf(id: string): TraceContext | undefined {
    const call = this.#calls.get(id)
    const traceparent = call && traceparentOf(call.span.spanContext())
    if (call === undefined || traceparent === undefined) return undefined
    const tracestate = call.span.spanContext().traceState?.serialize()
    return {
      traceparent,
      ...(tracestate === undefined || tracestate === '' ? {} : { tracestate }),
      ...(this.#sendsBaggage ? baggageOf(call.context) : {}),
    }
  }

  #hear(event: BridgeEvent): void {
    if (event.type === 'call.started') return this.#started(event)
    if (event.type === 'call.finished') return this.#finished(event.callId, event)
    if (event.type === 'request.started') return this.#requested(event)
    if (event.type === 'request.finished') return this.#finished(event.requestId, event)
    if (event.type === 'code.started') return this.#codeStarted(event)
    if (event.type === 'code.finished') return this.#codeFinished(event)
    if (event.type === 'permission.decided')
      this.#calls.get(event.callId)?.span.setAttribute('toolbridge.permission.verdict', event.verdict)
    if (event.type === 'connection.opened') this.#servers.set(event.server, connectionAttributes(event))
    if (event.type === 'connection.closed') this.#closed(event)
    if (event.type === 'tools.compiled')
      this.#instruments.toolTokens.record(event.tokens, { 'toolbridge.profile': event.profile })
    const count = countOf(event)
    if (count !== undefined) this.#instruments.counters[count.name].add(1, { ...count.tags })
  }

  #started({ callId, rawName, server, trace: given, parent: maker }: Event<'call.started'>): void {
    const parent = this.#codeRunOf(maker) ?? contextFrom(context.active(), given)
    this.#follow({ id: callId, name: `tools/call ${rawName}`, server, parent }, toolAttributes(rawName))
  }

  /** The context of the run of code that makes a call. */
  #codeRunOf(id: string | undefined): Context | undefined {
    return id === undefined ? undefined : this.#calls.get(id)?.context
  }

  #codeStarted({ runId, trace: given }: Event<'code.started'>): void {
    const parent = contextFrom(context.active(), given)
    const attributes = executionAttributes('run_code')
    const span = this.#tracer.startSpan('execute_tool run_code', { attributes }, parent)
    this.#calls.set(runId, { span, context: trace.setSpan(parent, span), attributes })
  }

  #codeFinished(event: Event<'code.finished'>): void {
    const run = this.#calls.get(event.runId)
    this.#calls.delete(event.runId)
    run?.span.setAttributes(codeAttributes(event))
    if (event.outcome !== 'ok') run?.span.setStatus({ code: SpanStatusCode.ERROR })
    run?.span.end()
  }

  /** The URI of a resource is not part of the span name, because of its cardinality. */
  #requested(event: Event<'request.started'>): void {
    const { requestId: id, method, item, server } = event
    const name = method === 'prompts/get' ? `${method} ${item}` : method
    this.#follow(
      { id, name, server, parent: context.active() },
      requestAttributes(event),
      itemAttributes(event),
    )
  }

  #follow({ id, name, server, parent }: Following, attributes: Attributes, ofSpan: Attributes = {}): void {
    const known = { ...attributes, ...ofSpan, ...this.#servers.get(server), 'toolbridge.server': server }
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: known }, parent)
    this.#calls.set(id, { span, context: trace.setSpan(parent, span), attributes })
  }

  #finished(id: string, event: Event<'call.finished' | 'request.finished'>): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#calls.delete(id)
    // Unknown at the start of the call that opens the connection.
    const connection = this.#servers.get(event.server) ?? {}
    const error = errorAttributes(event)
    call.span.setAttributes({ ...connection, ...error })
    if (error !== undefined)
      call.span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(event.error === undefined ? {} : { message: messageWithoutCode(event.error, event.failure) }),
      })
    call.span.end()
    const attributes = { ...call.attributes, ...connection, ...error }
    this.#instruments.operation.record(event.latencyMs / 1_000, attributes, call.context)
  }

  #closed(event: Event<'connection.closed'>): void {
    const attributes = { ...this.#servers.get(event.server), ...errorAttributes(event) }
    this.#instruments.session.record(event.openMs / 1_000, attributes)
  }
}

function baggageOf(from: Context): { readonly baggage?: string } {
  const carrier: { baggage?: string } = {}
  propagation.inject(from, carrier)
  return carrier.baggage === undefined ? {} : { baggage: carrier.baggage }
}
