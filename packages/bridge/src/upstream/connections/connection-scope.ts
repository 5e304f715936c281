import { type Origin, originKey } from '../../origin.ts'

/** Who may use a connection: a conversation, the anonymous conversations of a principal, or all of its origins. */
export interface ConnectionScope extends Origin {
  readonly isShared?: true
  /** Index among the connections of the scope. Callers on different channels use different ones. Default: 0. */
  readonly index?: number
}

/** Returns a key that is the same for equal scopes only, whatever their index. */
export function scopeKey(scope: ConnectionScope): string {
  if (scope.isShared === true) return JSON.stringify([scope.principal])
  return scope.isAnonymous === true ? JSON.stringify([scope.principal, null]) : originKey(scope)
}

/** Returns the scope shared by all origins of a principal. */
export function sharedScope(principal: string): ConnectionScope {
  return { principal, conversation: '', isShared: true }
}

/** Returns the scope of the anonymous conversations of a principal. */
export function anonymousScope(principal: string): ConnectionScope {
  return { principal, conversation: '', isAnonymous: true }
}
