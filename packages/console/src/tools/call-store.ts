import type { CallToolResponse } from '@toolbridge/api'
import type { GatewayClient } from '@toolbridge/react'
import { createContext, useContext, useSyncExternalStore } from 'react'

/** The last call of a tool from this page. */
export type Call =
  | { readonly kind: 'running'; readonly startedAtMs: number; readonly cancel: () => void }
  | { readonly kind: 'done'; readonly tookMs: number; readonly result: CallToolResponse }
  | { readonly kind: 'failed'; readonly tookMs: number; readonly error: Error }
  | { readonly kind: 'cancelled'; readonly tookMs: number }

/**
 * Calls tools and stores the last call of each. It outlives the pages, so that a person can answer a question on another
 * page and come back to the result.
 */
export class CallStore {
  readonly #gateway: Pick<GatewayClient, 'callTool'>
  readonly #calls = new Map<string, Call>()
  readonly #listeners = new Set<() => void>()

  constructor(gateway: Pick<GatewayClient, 'callTool'>) {
    this.#gateway = gateway
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  last(tool: string): Call | undefined {
    return this.#calls.get(tool)
  }

  /** Starts a call unless one of the same tool is running. Subscribers are notified of changes. */
  start(tool: string, values: Readonly<Record<string, unknown>>): void {
    if (this.last(tool)?.kind !== 'running') void this.#run(tool, values)
  }

  async #run(tool: string, values: Readonly<Record<string, unknown>>): Promise<void> {
    const controller = new AbortController()
    const startedAtMs = Date.now()
    this.#show(tool, { kind: 'running', startedAtMs, cancel: () => controller.abort() })
    const ended = await this.#call(tool, values, controller.signal)
    this.#show(tool, { ...ended, tookMs: Date.now() - startedAtMs })
  }

  async #call(
    tool: string,
    values: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<EndedCall> {
    try {
      return { kind: 'done', result: await this.#gateway.callTool({ tool, arguments: values }, { signal }) }
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' }
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  #show(tool: string, call: Call): void {
    this.#calls.set(tool, call)
    for (const listener of this.#listeners) listener()
  }
}

type EndedCall =
  | { readonly kind: 'done'; readonly result: CallToolResponse }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'cancelled' }

const CallsContext = createContext<CallStore | null>(null)

/** Provides the call store. */
export const CallsProvider = CallsContext.Provider

/** Returns the last call of a tool, and the store. */
export function useCall(tool: string): { readonly call: Call | undefined; readonly calls: CallStore } {
  const calls = useContext(CallsContext)
  if (calls === null) throw new TypeError('useCall is used outside of CallsProvider')
  const call = useSyncExternalStore(calls.subscribe, () => calls.last(tool))
  return { call, calls }
}
