import { AsyncLocalStorage } from 'node:async_hooks'
import { readExecutionContext } from './read-execution-context.ts'
import { deepFreeze } from './toolkits/parse-toolkits.ts'
import type { MCPToolkitMap, MCPToolkitMapInput } from './toolkits/toolkits.ts'

/** The user that a workflow runs for. */
export interface ExecutionPrincipal {
  /** Id of the user. */
  readonly id: string
  /** `session`: a user of a platform, without access to files and variables of this machine. `local`: its own user. */
  readonly kind: 'session' | 'local'
}

/** The context of one workflow invocation. */
export interface ExecutionContext {
  /** The user that the workflow runs for. */
  readonly principal: ExecutionPrincipal
  /** Secrets of the user, by name. Default: none. */
  readonly secrets?: Readonly<Record<string, string>>
  /** API keys of the user, by name. Default: none. */
  readonly apiKeys?: Readonly<Record<string, string>>
  /** Toolkits of the user. Default: none. */
  readonly mcp?: { readonly toolkits: MCPToolkitMap }
}

/** An execution context as callers write it. */
export interface ExecutionContextInput extends Omit<ExecutionContext, 'mcp'> {
  /** Toolkits of the user. Default: none. */
  readonly mcp?: { readonly toolkits: MCPToolkitMapInput }
}

/** A validated context, frozen. */
export interface EnteredContext extends ExecutionContext {
  /** Returns a field by name. */
  get<K extends keyof ExecutionContext>(field: K): ExecutionContext[K]
}

/** The only ambient value of this library. Readers pass it on by argument. */
const storage = new AsyncLocalStorage<EnteredContext>()

/**
 * Runs `fn` with a copy of the context, which `getExecutionContext` returns in all code that `fn` awaits. Rejects with a
 * `ConfigError` with every issue, without running `fn`, if the context is invalid. Code that runs for a session cannot
 * enter the context of a local principal.
 *
 * @example
 * ```ts
 * import { getExecutionContext, withExecutionContext } from '@toolbridge/bridge/context'
 *
 * const transportSpec = { command: 'node', args: ['server.mjs'] }
 * const context = {
 *   principal: { id: 'ada', kind: 'session' },
 *   mcp: { toolkits: { hello: { transportSpec } } },
 * } as const
 * const user = await withExecutionContext(context, async () => getExecutionContext()?.principal.id)
 * console.log(user) // ada
 * ```
 */
export async function withExecutionContext<T>(
  context: ExecutionContextInput,
  fn: () => Promise<T>,
): Promise<T> {
  const entered = executionContext(context)
  refuseLocalInSession(entered)
  return storage.run(entered, fn)
}

/**
 * Returns a copy of the context to pass as an argument, which costs less than `withExecutionContext`: on Node 20, entering a
 * context once makes every promise of the process slower. Throws a `ConfigError` with every issue.
 */
export function executionContext(context: ExecutionContextInput): EnteredContext {
  return enteredContext(deepFreeze(readExecutionContext(context)))
}

/** Returns the given context, by default the active one. Throws if a session would become local. */
export function givenOrActive(context: EnteredContext | undefined): EnteredContext | undefined {
  if (context !== undefined) refuseLocalInSession(context)
  return context ?? storage.getStore()
}

function refuseLocalInSession({ principal }: EnteredContext): void {
  if (principal.kind === 'local' && storage.getStore()?.principal.kind === 'session')
    throw new TypeError('a session cannot become local; leave its execution context first')
}

/** Returns the active execution context, if any. */
export function getExecutionContext(): EnteredContext | undefined {
  return storage.getStore()
}

function enteredContext(own: ExecutionContext): EnteredContext {
  const get = <K extends keyof ExecutionContext>(field: K): ExecutionContext[K] => own[field]
  return Object.freeze({ ...own, get })
}
