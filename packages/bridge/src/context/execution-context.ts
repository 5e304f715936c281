import { AsyncLocalStorage } from 'node:async_hooks'
import { readExecutionContext } from './read-execution-context.ts'
import type { MCPToolkitMap, MCPToolkitMapInput } from './toolkits/toolkits.ts'

/** Who a workflow runs for. A `session` is a platform's user, who may draw on nothing of the machine it runs on. */
export interface ExecutionPrincipal {
  readonly id: string
  readonly kind: 'session' | 'local'
}

/** What one workflow invocation carries: who asks, with which keys and which servers. */
export interface ExecutionContext {
  readonly principal: ExecutionPrincipal
  readonly secrets?: Readonly<Record<string, string>>
  readonly apiKeys?: Readonly<Record<string, string>>
  readonly mcp?: { readonly toolkits: MCPToolkitMap }
}

/** The same as a caller may write it. */
export interface ExecutionContextInput extends Omit<ExecutionContext, 'mcp'> {
  readonly mcp?: { readonly toolkits: MCPToolkitMapInput }
}

/** The context that is entered: frozen, and its fields can also be had by name. */
export interface EnteredContext extends ExecutionContext {
  get<K extends keyof ExecutionContext>(field: K): ExecutionContext[K]
}

/** The only ambient value of this library: a workflow host enters it, and those who read it pass it on by argument. */
const storage = new AsyncLocalStorage<EnteredContext>()

/**
 * Runs `fn` with a copy of the context, which `getExecutionContext` finds in everything `fn` awaits. Rejects with a
 * `ConfigError` that names every issue, and does not run `fn`, when the context is not valid. What runs for a session
 * cannot enter the context of a local principal.
 */
export async function withExecutionContext<T>(
  context: ExecutionContextInput,
  fn: () => Promise<T>,
): Promise<T> {
  const entered = enteredContext(deepFreeze(readExecutionContext(context)))
  if (entered.principal.kind === 'local' && storage.getStore()?.principal.kind === 'session')
    throw new TypeError('a session cannot become local; leave its execution context first')
  return storage.run(entered, fn)
}

/** The context that the running code was entered with, if any. */
export function getExecutionContext(): EnteredContext | undefined {
  return storage.getStore()
}

function enteredContext(own: ExecutionContext): EnteredContext {
  const get = <K extends keyof ExecutionContext>(field: K): ExecutionContext[K] => own[field]
  return Object.freeze({ ...own, get })
}

/** A live link is used by its one client and cannot be frozen; everything else is data. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isLink(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

function isLink(value: object): boolean {
  return 'request' in value && typeof value.request === 'function'
}
