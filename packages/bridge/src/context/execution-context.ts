import { AsyncLocalStorage } from 'node:async_hooks'
import { checkExecutionContext } from './check-context.ts'
import type { MCPToolkitMap } from './toolkits.ts'

/** What one workflow invocation carries: who asks, with which keys and which servers. Frozen while it is entered. */
export interface ExecutionContext {
  readonly principal: { readonly id: string; readonly kind: 'session' | 'local' }
  readonly secrets?: Readonly<Record<string, string>>
  readonly apiKeys?: Readonly<Record<string, string>>
  readonly mcp?: { readonly toolkits: MCPToolkitMap }
}

/** The only ambient value of this library: a workflow host enters it, and those who read it pass it on by argument. */
const storage = new AsyncLocalStorage<ExecutionContext>()

/**
 * Runs `fn` with a copy of the context, which `getExecutionContext` finds in everything `fn` awaits. Rejects with a
 * `ConfigError` that names every issue, and does not run `fn`, when the context is not valid.
 */
export async function withExecutionContext<T>(context: ExecutionContext, fn: () => Promise<T>): Promise<T> {
  checkExecutionContext(context)
  return storage.run(deepFreeze(structuredClone(context)), fn)
}

/** The context that the running code was entered with, if any. */
export function getExecutionContext(): ExecutionContext | undefined {
  return storage.getStore()
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
