import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Engine } from './engine.ts'
import type { CodeLimits } from './limits.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'

/** Heap of the worker beside the sandbox, which has a limit of its own: messages on their way. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 16 }

/** A worker thread with a sandbox for one run. */
export interface CodeWorker {
  /** Resolves when the sandbox is ready. Rejects if the worker cannot be started. */
  readonly ready: Promise<void>
  send(message: ToWorker): void
  /** `ended` is called when the worker has ended by itself, with the error if it failed. */
  listen(onMessage: (message: FromWorker) => void, ended: (error: Error | undefined) => void): void
  /** Keeps the process running until the worker is terminated. */
  ref(): void
  /** Undoes `ref`. */
  unref(): void
  /** Stops the code, whatever it does. */
  terminate(): Promise<void>
}

/** Starts a worker, which does not keep the process running by itself. It has no environment and no arguments. */
export function startWorker(engine: Engine, limits: CodeLimits): CodeWorker {
  const workerData: WorkerData = { engine, limits }
  const worker = new Worker(programFile(), {
    workerData,
    resourceLimits,
    env: {},
    argv: [],
    execArgv: [],
  })
  worker.unref()
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the worker ended with code ${code} before it was ready`)))
  })
  ready.catch(() => {})
  return {
    ready,
    send: (message) => worker.postMessage(message),
    listen: (onMessage, ended) => {
      worker.on('message', onMessage)
      worker.once('error', ended)
      worker.once('exit', () => ended(undefined))
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: async () => {
      await worker.terminate()
    },
  }
}

/** The built file, also where this one is loaded as a source: a worker thread cannot load TypeScript. */
function programFile(): string {
  const manifest = createRequire(import.meta.url).resolve('@toolbridge/bridge/package.json')
  return join(dirname(manifest), 'dist/code/sandbox/worker.js')
}
