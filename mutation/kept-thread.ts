import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Plugin } from 'vite'
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'

/** A pool of one thread that Vitest keeps for the next run, with the modules it has loaded. */
const name = 'kept-thread'

/** Vitest adds listeners in a thread with each run. */
const maxRuns = 100

/** A run with a test that timed out takes longer. Such a test may disturb the next run. */
const maxRunMs = 20_000

interface Thread {
  readonly worker: Worker
  runs: number
}

/**
 * Runs the tests of mutants in one thread. Vitest starts a thread for each run, and loading the sources takes far longer
 * than the tests. A mutant in code that runs only while its module loads gets a new thread.
 */
export function keepThread(): Plugin {
  const poolRunner = poolOfOne()
  return {
    name: 'toolbridge:kept-thread',
    // Stryker overrides the pool of the configuration.
    configureVitest: ({ project }) => void Object.assign(project.config, { pool: name, poolRunner }),
  }
}

function poolOfOne(): PoolRunnerInitializer {
  const kept: Thread[] = []
  return { name, createPoolWorker: (options) => new KeptThread(options, kept) }
}

class KeptThread implements PoolWorker {
  readonly name: string = name
  readonly #options: PoolOptions
  readonly #kept: Thread[]
  readonly #listeners: [event: string, listener: (value: unknown) => void][] = []
  #thread: Thread | undefined
  #startedAt = 0
  #config: object = {}

  constructor(options: PoolOptions, kept: Thread[]) {
    this.#options = options
    this.#kept = kept
  }

  async start(): Promise<void> {
    this.#startedAt = performance.now()
    this.#thread = (this.#mayShare() ? this.#kept.pop() : undefined) ?? { worker: this.#open(), runs: 0 }
    this.#thread.runs++
  }

  /** Called after each run. */
  async stop(): Promise<void> {
    const thread = this.#current()
    for (const [event, listener] of this.#listeners) thread.worker.off(event, listener)
    if (this.#isReusable(thread)) this.#kept.push(thread)
    else await thread.worker.terminate()
  }

  on(event: string, listener: (value: unknown) => void): void {
    this.#listeners.push([event, listener])
    this.#current().worker.on(event, listener)
  }

  off(event: string, listener: (value: unknown) => void): void {
    this.#current().worker.off(event, listener)
  }

  /** A used thread has started already, and is never told to stop. It gets the configuration with each run. */
  send(message: WorkerRequest): void {
    const { worker, runs } = this.#current()
    if (message.type === 'start') this.#config = message.context.config
    if (message.type === 'start' && runs > 1) this.#respond('started')
    else if (message.type === 'stop') this.#respond('stopped')
    else if (message.type === 'run')
      worker.postMessage({ ...message, context: { ...message.context, config: this.#config } })
    else worker.postMessage(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  #respond(type: string): void {
    this.#current().worker.emit('message', { type, __vitest_worker_response__: true })
  }

  #current(): Thread {
    if (this.#thread === undefined) throw new Error('the thread was not started')
    return this.#thread
  }

  #open(): Worker {
    const { distPath, env, execArgv } = this.#options
    const entry = join(distPath, 'workers/threads.js')
    const worker = new Worker(entry, { env: { ...env }, execArgv, stdout: true, stderr: true })
    worker.stdout.resume()
    worker.stderr.resume()
    // The pool of Stryker ends the process.
    worker.unref()
    return worker
  }

  /** Whether the mutant is switched on after the modules are loaded. */
  #mayShare(): boolean {
    const provided: Readonly<Record<string, unknown>> = { ...this.#options.project.getProvidedContext() }
    return provided['mode'] === 'mutant' && provided['mutantActivation'] === 'runtime'
  }

  #isReusable({ runs }: Thread): boolean {
    const isClean = this.#options.project.vitest.state.errorsSet.size === 0
    const isQuick = performance.now() - this.#startedAt < maxRunMs
    return this.#mayShare() && isClean && isQuick && runs < maxRuns && this.#kept.length === 0
  }
}
