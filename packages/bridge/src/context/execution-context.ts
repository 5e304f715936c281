import type { MCPToolkitMap } from './toolkits.ts'

/** What one workflow invocation carries with it: who asks, with which keys and which servers. Frozen while it is entered. */
export interface ExecutionContext {
  readonly principal: { readonly id: string; readonly kind: 'session' | 'local' }
  readonly secrets?: Readonly<Record<string, string>>
  readonly apiKeys?: Readonly<Record<string, string>>
  readonly mcp?: { readonly toolkits: MCPToolkitMap }
}

/** Runs `fn` with a context that `getExecutionContext` finds. Throws a `ConfigError` when the context is not valid. */
export function withExecutionContext<T>(_context: ExecutionContext, _fn: () => Promise<T>): Promise<T> {
  return Promise.reject(new Error('not built yet'))
}

/** The context that the running code was entered with, if any. */
export function getExecutionContext(): ExecutionContext | undefined {
  return undefined
}
