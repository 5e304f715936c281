import { abortable, linkedSignal } from '@toolbridge/client/internal'
import { type Clock, systemClock } from '../../async/clock.ts'
import { type CodeOutcome, type CodeRequest, CodeRun } from './code-run.ts'
import { type CodeWorker, startWorker } from './code-worker.ts'
import { compileEngine, type Engine } from './engine.ts'
import { type CodeLimits, codeLimits } from './limits.ts'

/** Options of `createCodeRunner`. */
export interface CodeRunnerOptions {
  /** Limits of each run. Default: `defaultCodeLimits`. */
  readonly limits?: Partial<CodeLimits>
}

/** Runs untrusted code, each run in a sandbox of its own. Closed by its creator. */
export interface CodeRunner extends AsyncDisposable {
  /** The limits of each run. */
  readonly limits: CodeLimits
  /** Runs code. A failure of the code is an outcome; rejects when the signal is aborted. */
  run(request: CodeRequest): Promise<CodeOutcome>
  /** Ends the runs. */
  close(): Promise<void>
}

/**
 * Creates a runner of JavaScript in QuickJS, compiled to WebAssembly, in worker threads. The code has no network, files,
 * timers or environment. One worker is kept ready, so that a run starts at once.
 */
export function createCodeRunner(options: CodeRunnerOptions = {}, clock: Clock = systemClock): CodeRunner {
  return new WorkerCodeRunner(codeLimits(options.limits), clock)
}

class WorkerCodeRunner implements CodeRunner {
  readonly limits: CodeLimits
  readonly #clock: Clock
  readonly #closing = new AbortController()
  readonly #work = new Set<Promise<unknown>>()
  #engine: Promise<Engine> | undefined
  #spare: CodeWorker | undefined

  constructor(limits: CodeLimits, clock: Clock) {
    this.limits = limits
    this.#clock = clock
  }

  run(request: CodeRequest): Promise<CodeOutcome> {
    return this.#tracked(this.#run(request))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the code runner was closed'))
    await this.#spare?.terminate()
    // A run that ends leaves its worker to be stopped.
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #run(request: CodeRequest): Promise<CodeOutcome> {
    using ended = linkedSignal(this.#closing.signal, request.signal)
    const { signal } = ended
    signal.throwIfAborted()
    const worker = await this.#takeWorker(signal)
    return await new CodeRun(worker, { ...request, signal }, this.limits, this.#clock).run()
  }

  /** Takes the spare worker and starts another one, which is ready by the next run. */
  async #takeWorker(signal: AbortSignal): Promise<CodeWorker> {
    this.#engine ??= compileEngine()
    const engine = await abortable(this.#engine, signal)
    const worker = this.#spare ?? startWorker(engine, this.limits)
    this.#spare = undefined
    worker.ref()
    try {
      await abortable(worker.ready, signal)
    } catch (error) {
      this.#giveBack(worker, signal)
      throw error
    }
    if (!this.#closing.signal.aborted) this.#spare ??= startWorker(engine, this.limits)
    return worker
  }

  /** A worker that an aborted run has not used is the next spare one. */
  #giveBack(worker: CodeWorker, { aborted }: AbortSignal): void {
    worker.unref()
    if (aborted && !this.#closing.signal.aborted) this.#spare ??= worker
    if (this.#spare !== worker) void this.#tracked(worker.terminate())
  }

  /** Lets `close` wait for something. */
  #tracked<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
    return tracked
  }
}
