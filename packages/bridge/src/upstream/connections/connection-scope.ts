import { type Origin, originKey } from '../../origin.ts'

/** Who may use a connection: one origin, or all origins of a principal. */
export interface ConnectionScope extends Origin {
  readonly isShared?: true
}

/** Returns a key that is the same for equal scopes only. */
export function scopeKey(scope: ConnectionScope): string {
  return scope.isShared === true ? JSON.stringify([scope.principal]) : originKey(scope)
}

/** Returns the scope shared by all origins of a principal. */
export function sharedScope(principal: string): ConnectionScope {
  return { principal, conversation: '', isShared: true }
}
