import type {
  CallLogMessage,
  CallProgress,
  CallToolRequest,
  CallToolResponse,
  GatewayEvent,
  StartedCall,
  StartedCallResponse,
} from '@toolbridge/api'

/** What the calls of a stub use of it. */
export interface StubCallsOptions {
  callTool(request: CallToolRequest, signal: AbortSignal): Promise<CallToolResponse>
  tell(event: GatewayEvent): void
}

/** The started calls of a stub gateway. */
export class StubCalls {
  readonly #options: StubCallsOptions
  readonly #cancel = new Map<string, () => void>()
  #all: readonly StartedCallResponse[] = []

  constructor(options: StubCallsOptions) {
    this.#options = options
  }

  get list(): readonly StartedCall[] {
    return this.#all.map(({ call }) => call)
  }

  find(id: string | undefined): StartedCallResponse | undefined {
    return this.#all.find(({ call }) => call.id === id)
  }

  start(request: CallToolRequest): StartedCall {
    const [id, startedAt] = [`call-${this.#all.length + 1}`, new Date().toISOString()]
    const call = { id, tool: request.tool, state: 'running', startedAt, logCount: 0 } as const
    this.#change(id, { call, arguments: request.arguments ?? {}, logs: [] })
    void this.#run(id, request)
    return call
  }

  cancel(id: string | undefined): void {
    this.#cancel.get(id ?? '')?.()
  }

  /** What the server reports about the running call. */
  report(progress: CallProgress, logs: readonly CallLogMessage[]): void {
    for (const details of this.#all.filter(({ call }) => call.state === 'running'))
      this.#change(details.call.id, {
        ...details,
        logs,
        call: { ...details.call, progress, logCount: logs.length },
      })
  }

  /** As after a restart of the gateway. */
  forget(): void {
    this.#all = []
  }

  async #run(id: string, request: CallToolRequest): Promise<void> {
    const cancelled = new AbortController()
    const ended = new Promise<undefined>((resolve) => {
      this.#cancel.set(id, () => {
        cancelled.abort()
        resolve(undefined)
      })
    })
    const result = await Promise.race([this.#options.callTool(request, cancelled.signal), ended])
    const details = this.find(id)
    if (details === undefined) return
    const state = result === undefined ? 'cancelled' : 'done'
    const call = { ...details.call, state, endedAt: new Date().toISOString() } as const
    this.#change(id, { ...details, call, ...(result === undefined ? {} : { result }) })
  }

  #change(id: string, details: StartedCallResponse): void {
    const isKnown = this.find(id) !== undefined
    this.#all = isKnown
      ? this.#all.map((each) => (each.call.id === id ? details : each))
      : [...this.#all, details]
    this.#options.tell({ type: 'call', call: details.call })
  }
}
