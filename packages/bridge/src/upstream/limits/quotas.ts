import { abortable } from '@toolbridge/client/internal'
import { DeniedError } from '../../errors.ts'

/** How much one principal may have open at once. */
export interface QuotaLimits {
  /** Connections of any kind; no limit unless told. */
  readonly maxConnections?: number
  /** Those among them that are processes of this machine; no limit unless told. */
  readonly maxProcesses?: number
  /** How long somebody waits for another connection to be closed; 10,000 unless told. */
  readonly maxWaitMs?: number
}

/** What somebody wants to open. */
export interface QuotaRequest {
  readonly principal: string
  readonly server: string
  readonly isProcess: boolean
  /** Closes the connection if nobody uses it, and says whether it does: room for somebody who waits. */
  readonly evict: () => boolean
  readonly signal: AbortSignal
}

/** The right to have one connection open. Whoever gets it gives it back when the connection is closed. */
export interface QuotaLease {
  release(): void
}

/** Counts what each principal has open. One may serve any number of bridges. */
export interface ConnectionQuotas {
  /**
   * Resolves when there is room, in the order of asking. An idle connection of the same principal makes room; when none
   * does in time, rejects with a `DeniedError`.
   */
  acquire(request: QuotaRequest): Promise<QuotaLease>
}

/** Holds every principal to the same limits. */
export function createQuotas(limits: QuotaLimits): ConnectionQuotas {
  const accounts = new Map<string, Account>()
  return {
    acquire: async (request) => {
      const account = accounts.get(request.principal) ?? new Account(limits)
      accounts.set(request.principal, account)
      try {
        return await account.acquire(request)
      } finally {
        if (account.isEmpty) accounts.delete(request.principal)
      }
    },
  }
}

interface Waiting {
  readonly request: QuotaRequest
  readonly resolve: (lease: QuotaLease) => void
}

/** What one principal has open, and who waits for room. */
class Account {
  readonly #limits: QuotaLimits
  readonly #open = new Set<QuotaRequest>()
  readonly #waiting: Waiting[] = []

  constructor(limits: QuotaLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#waiting.length === 0
  }

  async acquire(request: QuotaRequest): Promise<QuotaLease> {
    if (this.#waiting.length === 0 && this.#hasRoomFor(request)) return this.#grant(request)
    let waiting: Waiting | undefined
    const granted = new Promise<QuotaLease>((resolve) => {
      waiting = { request, resolve }
      this.#waiting.push(waiting)
    })
    this.#makeRoom(request)
    const { maxWaitMs = 10_000 } = this.#limits
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.#exceeded(request)), maxWaitMs)
    })
    try {
      return await abortable(Promise.race([granted, tooLong]), request.signal)
    } catch (error) {
      // Room may have been given at the very moment: then nobody else would ever give it back.
      if (!this.#giveUp(waiting)) void granted.then((lease) => lease.release())
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #hasRoomFor({ isProcess }: QuotaRequest): boolean {
    const { maxConnections = Infinity, maxProcesses = Infinity } = this.#limits
    return this.#open.size < maxConnections && (!isProcess || this.#processes < maxProcesses)
  }

  get #processes(): number {
    return [...this.#open].filter(({ isProcess }) => isProcess).length
  }

  #grant(request: QuotaRequest): QuotaLease {
    this.#open.add(request)
    return {
      release: () => {
        if (this.#open.delete(request)) this.#serveNext()
      },
    }
  }

  #serveNext(): void {
    const [next] = this.#waiting
    if (next === undefined || !this.#hasRoomFor(next.request)) return
    this.#waiting.shift()
    next.resolve(this.#grant(next.request))
    this.#serveNext()
  }

  /** Closes one connection that would help and that nobody uses. */
  #makeRoom({ isProcess }: QuotaRequest): void {
    const { maxProcesses = Infinity } = this.#limits
    const needsProcess = isProcess && this.#processes >= maxProcesses
    const candidates = [...this.#open].filter((open) => !needsProcess || open.isProcess)
    candidates.find((open) => open.evict())
  }

  /** Says whether it was still waiting. Whoever stood behind may have room now. */
  #giveUp(waiting: Waiting | undefined): boolean {
    const index = waiting === undefined ? -1 : this.#waiting.indexOf(waiting)
    if (index === -1) return false
    this.#waiting.splice(index, 1)
    this.#serveNext()
    return true
  }

  #exceeded({ server, isProcess }: QuotaRequest): DeniedError {
    const { maxConnections = Infinity, maxProcesses = Infinity } = this.#limits
    const isAboutProcesses = isProcess && this.#processes >= maxProcesses
    const limit = isAboutProcesses ? `${maxProcesses} processes` : `${maxConnections} connections`
    const message = `server "${server}" was not opened: ${limit} are open already, which is as many as may be, and all are in use; close one or try again later`
    return new DeniedError(message, { code: 'quota_exceeded' })
  }
}
