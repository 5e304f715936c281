import type { CallToolResult, RequestOptions, TraceContext } from '@toolbridge/client'
import type { CallOptions, CallServices, ToolTarget } from './call.ts'
import type { Answerer } from './elicitation/question.ts'
import type { Origin } from './origin.ts'
import type { Connection } from './upstream/connections/connection.ts'
import type { UpstreamCall } from './upstream/connections/calls-in-flight.ts'
import type { Slot } from './upstream/connections/connection-pool.ts'

/**
 * One call under way, and all that its end needs. Every call makes one, so it extends nothing and has no private fields:
 * each shows in the price of a call.
 */
export class ToolCall implements UpstreamCall {
  readonly services: CallServices
  readonly route: ToolTarget
  args: Readonly<Record<string, unknown>>
  readonly options: CallOptions
  readonly origin: Origin
  readonly answerer: Answerer | undefined
  trace: TraceContext | undefined
  readonly timeoutMs: number
  readonly startedAt: number
  id = ''
  slot: Slot<Connection> | undefined = undefined
  connection: Connection | undefined = undefined
  sent: RequestOptions | undefined = undefined
  order = 0
  position = -1
  isAnswered = false
  isOver = false
  /** Told of the end, once somebody waits for that. */
  private ending: Ending | undefined = undefined

  constructor(services: CallServices, route: ToolTarget, args: ToolCall['args'], options: CallOptions) {
    const { origin = services.origin, timeoutMs = route.timeoutMs, answerer, trace } = options
    this.services = services
    this.route = route
    this.args = args
    this.options = options
    this.origin = origin
    this.answerer = answerer
    this.trace = trace
    this.timeoutMs = timeoutMs
    this.startedAt = services.moments.now()
  }

  get tool(): string {
    return this.route.tool.name
  }

  get server(): string {
    return this.route.tool.server
  }

  get rawName(): string {
    return this.route.tool.rawName
  }

  /** Made when somebody asks: most calls lead to no question. */
  get over(): Promise<void> {
    if (this.isOver) return Promise.resolve()
    this.ending ??= createEnding()
    return this.ending.promise
  }

  /** What it was answered with; a promise if that is a task, which is followed to its end. */
  read(answer: unknown): CallToolResult | Promise<CallToolResult> {
    if (this.connection === undefined) throw new TypeError('a call that was not made has no answer')
    return this.connection.read(this, answer)
  }

  end(): void {
    this.isOver = true
    this.ending?.resolve()
  }
}

interface Ending {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function createEnding(): Ending {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
