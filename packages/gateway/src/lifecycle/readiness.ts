import { GatewayError } from '../errors/gateway-error.ts'
import type { CallAdmission } from './call-admission.ts'

/** Anyone may ask, so the store is asked at most this often. */
const keptMs = 1_000
const deadlineMs = 2_000

/** Options of `Readiness`. */
export interface ReadinessOptions {
  readonly calls: Pick<CallAdmission, 'requireOpen'>
  /** Reads from the store. */
  readonly readStore: () => Promise<unknown>
  /** Default: the system clock. */
  readonly now?: () => number
}

/** Whether the gateway can take requests: it does not drain, and its store responds. */
export class Readiness {
  readonly #options: ReadinessOptions
  #checked: { readonly atMs: number; readonly responds: Promise<boolean> } | undefined

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  /** Rejects with a `GatewayError` if the gateway is not ready. It does not say why the store fails: anyone may ask. */
  async check(): Promise<void> {
    this.#options.calls.requireOpen()
    if (!(await this.#storeResponds()))
      throw new GatewayError('not_ready', "the store does not respond; see the gateway's log")
  }

  #storeResponds(): Promise<boolean> {
    const { readStore, now = Date.now } = this.#options
    if (this.#checked === undefined || now() - this.#checked.atMs >= keptMs)
      this.#checked = { atMs: now(), responds: respondsInTime(readStore()) }
    return this.#checked.responds
  }
}

async function respondsInTime(reading: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs)
  })
  const answered = reading.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
