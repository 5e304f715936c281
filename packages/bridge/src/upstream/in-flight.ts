import type { CallToolResult, RequestOptions, TraceContext } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { Answerer, Origin } from '../elicitation/question.ts'
import type { AskableCall } from '../elicitation/router.ts'
import type { Connection } from './connection.ts'
import type { Slot } from './pool.ts'

const over = -2

/** One call, from the moment it is begun until it is over. */
export class InFlight implements AskableCall {
  readonly origin: Origin
  readonly answerer: Answerer | undefined
  /** How long the server may be silent. */
  readonly timeoutMs: number
  /** In milliseconds of the process's clock. */
  readonly startedAt: number
  /** What the journal knows it by; empty where there is none. */
  id = ''
  /** What it belongs to, as the server is told. */
  trace: TraceContext | undefined
  /** Where it is made, once that is known. */
  slot: Slot<Connection> | undefined = undefined
  connection: Connection | undefined = undefined
  /** What it was sent with. */
  sent: RequestOptions | undefined = undefined
  /** How many calls were made over its connection before it. */
  order = 0
  /** Its place among the calls of its connection; below 0 before it is made, and when it is over. */
  place = -1
  isAnswered = false
  readonly #tool: BridgeTool
  #over: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(
    tool: BridgeTool,
    origin: Origin,
    { answerer, trace }: { readonly answerer?: Answerer; readonly trace?: TraceContext },
    timeoutMs: number,
    startedAt: number,
  ) {
    this.#tool = tool
    this.origin = origin
    this.answerer = answerer
    this.trace = trace
    this.timeoutMs = timeoutMs
    this.startedAt = startedAt
  }

  /** Public name. */
  get tool(): string {
    return this.#tool.name
  }

  get server(): string {
    return this.#tool.server
  }

  /** The server's own name for the tool. */
  get rawName(): string {
    return this.#tool.rawName
  }

  /** Made when somebody asks: most calls lead to no question. */
  get over(): Promise<void> {
    if (this.place === over) return Promise.resolve()
    this.#over ??= createOver()
    return this.#over.promise
  }

  /** What it was answered with; a promise if that is a task, which is followed to its end. */
  read(answer: unknown): CallToolResult | Promise<CallToolResult> {
    if (this.connection === undefined) throw new TypeError('a call that was not made has no answer')
    return this.connection.read(this, answer)
  }

  end(): void {
    this.place = over
    this.#over?.resolve()
  }
}

/**
 * The calls of one connection. An array in which the last one fills a gap: a set would have its table made anew every few
 * hundred calls, and the old tables keep what was in them alive until the next full collection.
 */
export class CallsInFlight implements Iterable<InFlight> {
  readonly #calls: InFlight[] = []
  #latestAnswerer: Answerer | undefined
  #added = 0

  /** Where the latest call that said so had its questions brought, whether it is over or not. */
  get latestAnswerer(): Answerer | undefined {
    return this.#latestAnswerer
  }

  add(call: InFlight): void {
    if (call.answerer !== undefined) this.#latestAnswerer = call.answerer
    call.place = this.#calls.length
    call.order = this.#added++
    this.#calls.push(call)
  }

  delete(call: InFlight): void {
    if (this.#calls[call.place] !== call) return
    const last = this.#calls.pop()
    if (last === undefined || last === call) return
    last.place = call.place
    this.#calls[call.place] = last
  }

  /** Oldest first. */
  [Symbol.iterator](): Iterator<InFlight> {
    return this.#calls.toSorted((a, b) => a.order - b.order).values()
  }
}

function createOver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
