import { linkedSignal } from '@toolbridge/client/internal'
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
  readonly #runs = new Set<Promise<unknown>>()
  #engine: Promise<Engine> | undefined
  #spare: Promise<CodeWorker> | undefined

  constructor(limits: CodeLimits, clock: Clock) {
    this.limits = limits
    this.#clock = clock
  }

  run(request: CodeRequest): Promise<CodeOutcome> {
    const run = this.#run(request).finally(() => this.#runs.delete(run))
    this.#runs.add(run)
    return run
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the code runner was closed'))
    const spare = await this.#spare?.catch(() => undefined)
    await Promise.allSettled([spare?.terminate(), ...this.#runs])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #run(request: CodeRequest): Promise<CodeOutcome> {
    using ended = linkedSignal(this.#closing.signal, request.signal)
    const { signal } = ended
    signal.throwIfAborted()
    const worker = await this.#takeWorker()
    return await new CodeRun(worker, { ...request, signal }, this.limits, this.#clock).run()
  }

  /** Takes the spare worker and starts another one, which is ready by the next run. */
  async #takeWorker(): Promise<CodeWorker> {
    const taken = this.#spare ?? this.#startWorker()
    this.#spare = undefined
    const worker = await taken
    this.#spare ??= this.#closing.signal.aborted ? undefined : this.#startWorker()
    this.#spare?.catch(() => {})
    return worker
  }

  async #startWorker(): Promise<CodeWorker> {
    this.#engine ??= compileEngine()
    const worker = startWorker(await this.#engine, this.limits)
    await worker.ready
    return worker
  }
}
