import { AsyncResource } from 'node:async_hooks'
import { isJsonObject, isTooDeep, type JsonObject, MAX_DEPTH } from '@toolbridge/client/internal'
import type { Clock } from '../../async/clock.ts'
import { messageOf } from '../../text/message-of.ts'
import type { CodeWorker } from './code-worker.ts'
import type { CodeLimits } from './limits.ts'
import { type CodeFailure, type FromWorker, memoryFailure } from './messages.ts'

/** A program and the functions that it may call. */
export interface CodeRequest {
  /** JavaScript or TypeScript, the body of an async function: it may use `await` and `return`. */
  readonly code: string
  /** Names of the functions below `tools`. */
  readonly functions: readonly string[]
  /** Called for each call of a function. The code gets the value, or an error with the message of the rejection. */
  readonly call: (name: string, args: JsonObject, signal: AbortSignal) => Promise<unknown>
  /** Aborting ends the code and its calls; the run rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** How a run ended. */
export interface CodeOutcome {
  /** What the code returned, as JSON. Undefined if it returned nothing or failed. */
  readonly value?: unknown
  /** Lines that the code logged. */
  readonly logs: readonly string[]
  /** Why the code did not return. */
  readonly failure?: CodeFailure
  /** Number of calls that had not ended when the code did, and were cancelled. */
  readonly cancelledCalls: number
}

interface WaitingCall {
  readonly call: number
  readonly name: string
  readonly args: string
}

/** One run of code in a worker of its own, from start to end. */
export class CodeRun {
  readonly #worker: CodeWorker
  readonly #request: CodeRequest
  readonly #limits: CodeLimits
  readonly #clock: Clock
  readonly #logs: string[] = []
  readonly #ending = new AbortController()
  readonly #waiting: WaitingCall[] = []
  #running = 0
  #answersSent = 0
  #remainingMs: number
  /** Undefined while the code waits. */
  #resumedAt: number | undefined
  #stopTimer: () => void = nothing
  #resolve: (outcome: CodeOutcome) => void = nothing

  constructor(worker: CodeWorker, request: CodeRequest, limits: CodeLimits, clock: Clock) {
    this.#worker = worker
    this.#request = request
    this.#limits = limits
    this.#clock = clock
    this.#remainingMs = limits.timeoutMs
  }

  /** To be called once, on a worker that is ready. */
  async run(): Promise<CodeOutcome> {
    const { code, functions, signal } = this.#request
    const outcome = new Promise<CodeOutcome>((resolve, reject) => {
      this.#resolve = resolve
      signal?.addEventListener('abort', () => reject(signal.reason), { signal: this.#ending.signal })
    })
    try {
      signal?.throwIfAborted()
      // Messages arrive in the asynchronous context of what started the worker, which may be an earlier run.
      const receive = AsyncResource.bind((message: FromWorker) => this.#received(message))
      this.#worker.listen(receive, (error) => this.#fail(crashOf(error)))
      this.#resumeTimer()
      this.#worker.send({ type: 'run', code, functions })
      return await outcome
    } finally {
      this.#stopTimer()
      this.#cancelCalls()
      await this.#worker.terminate()
    }
  }

  #received(message: FromWorker): void {
    // Code may go on after it has returned.
    if (this.#ending.signal.aborted) return
    if (message.type === 'call') this.#queue(message)
    else if (message.type === 'log') this.#logs.push(message.text)
    else if (message.type === 'waiting') this.#waits(message.answers)
    else if (message.type === 'returned') this.#return(message.value)
    else if (message.type === 'failed') this.#fail(message.failure)
  }

  /** An answer may be on its way to code that said it waits. */
  #waits(answers: number): void {
    if (answers === this.#answersSent) this.#pauseTimer()
  }

  #queue(call: WaitingCall): void {
    this.#waiting.push(call)
    this.#startCalls()
  }

  #startCalls(): void {
    while (this.#running < this.#limits.parallelCalls) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#running++
      void this.#answer(next)
    }
  }

  async #answer({ call, name, args }: WaitingCall): Promise<void> {
    const { signal } = this.#ending
    try {
      const value = await this.#request.call(name, argumentsOf(name, args), signal)
      this.#resume({ type: 'answer', call, value: JSON.stringify(value) ?? '' })
    } catch (error) {
      this.#resume({ type: 'refuse', call, message: messageOf(error) })
    }
    this.#running--
    this.#startCalls()
  }

  #resume(message: Parameters<CodeWorker['send']>[0]): void {
    if (this.#ending.signal.aborted) return
    this.#answersSent += 1
    this.#resumeTimer()
    this.#worker.send(message)
  }

  #resumeTimer(): void {
    if (this.#resumedAt !== undefined) return
    this.#resumedAt = this.#clock.now()
    this.#stopTimer = this.#clock.after(this.#remainingMs, () => this.#fail(this.#timeFailure()))
  }

  #pauseTimer(): void {
    if (this.#resumedAt === undefined) return
    this.#stopTimer()
    this.#remainingMs -= this.#clock.now() - this.#resumedAt
    this.#resumedAt = undefined
  }

  #timeFailure(): CodeFailure {
    const message = `the code ran longer than ${this.#limits.timeoutMs} ms, without the time of its calls`
    return { kind: 'limit', limit: 'time', message }
  }

  #return(text: string | undefined): void {
    this.#end(text === undefined ? {} : returned(text))
  }

  #fail(failure: CodeFailure): void {
    this.#end({ failure })
  }

  #end(outcome: Pick<CodeOutcome, 'value' | 'failure'>): void {
    this.#resolve({ ...outcome, logs: this.#logs, cancelledCalls: this.#running + this.#waiting.length })
    this.#cancelCalls()
  }

  #cancelCalls(): void {
    this.#waiting.length = 0
    this.#ending.abort(new Error('the code that made this call has ended'))
  }
}

/** What the code returned. The engine passes something else than JSON on when it has no memory left for it. */
function returned(text: string): Pick<CodeOutcome, 'value' | 'failure'> {
  const value = parsed(text)
  if (value === undefined) return { failure: memoryFailure }
  return isTooDeep(value) ? { failure: tooDeepFailure } : { value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const tooDeepFailure: CodeFailure = {
  kind: 'error',
  message: `the returned value is nested deeper than ${MAX_DEPTH} levels`,
}

function argumentsOf(name: string, text: string): JsonObject {
  const args: unknown = JSON.parse(text)
  if (!isJsonObject(args)) throw new TypeError(`${name} takes one object with its arguments`)
  return args
}

/** A worker that ends by itself has run out of memory, or its engine has a defect. */
function crashOf(error: Error | undefined): CodeFailure {
  if (error !== undefined && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return memoryFailure
  return { kind: 'error', message: `the sandbox ended: ${error?.message ?? 'no reason is known'}` }
}

function nothing(): void {}
