import type { ExplainRequest, ExplainResponse } from '@toolbridge/api'
import { KeyedMutex } from '@toolbridge/client/internal'
import { Worker } from 'node:worker_threads'
import { GatewayError } from '../errors/gateway-error.ts'
import { explainText, type PastedTask, type PastedServers, readPasted } from './explain-text.ts'
import type { SavingRules } from './saved-servers.ts'

/** Longer texts are read by a worker, which takes longer to start than a short text to read. */
const maxOwnLength = 4_096
const deadlineMs = 5_000
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Who asks. The signal ends the reading. */
interface Asker {
  readonly owner: string
  readonly signal: AbortSignal
}

/** Reads the texts that people paste. A text that takes long to read makes nobody else wait, and is given up in the end. */
export class PastedTexts {
  /** One text of a person at a time, so that nobody has all of the machine. */
  readonly #turns = new KeyedMutex()

  /** Explains a text as if its servers were to be saved. Throws a `GatewayError` if that takes too long. */
  async explain(
    request: ExplainRequest,
    rules: SavingRules,
    { owner, signal }: Asker,
  ): Promise<ExplainResponse> {
    if (request.text.length <= maxOwnLength) return explainText(request, rules)
    return this.#turns.run(owner, signal, () => inWorker<ExplainResponse>({ request, rules }, signal))
  }

  /** Returns the servers of a text. Throws a `GatewayError` if that takes too long. */
  async servers(request: ExplainRequest, { owner, signal }: Asker): Promise<PastedServers> {
    if (request.text.length <= maxOwnLength) return readPasted(request)
    return this.#turns.run(owner, signal, () => inWorker<PastedServers>({ request }, signal))
  }
}

async function inWorker<T>(task: PastedTask, signal: AbortSignal): Promise<T> {
  const worker = new Worker(programFile, {
    workerData: task,
    resourceLimits,
    env: {},
    argv: [],
    execArgv: [],
  })
  const stop = (): void => void worker.terminate()
  const timer = setTimeout(stop, deadlineMs)
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuch() : error))
      worker.once('exit', () => reject(tooMuch()))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(): GatewayError {
  const seconds = deadlineMs / 1_000
  return new GatewayError(
    'invalid_request',
    `the text could not be read within ${seconds} seconds: paste only the entry of the server`,
  )
}

/** The built file, also where this one is loaded as a source: a worker thread cannot load TypeScript. */
const programFile = new URL('../../dist/settings/pasted-worker.js', import.meta.url)
