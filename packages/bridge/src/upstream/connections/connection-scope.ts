import { type Origin, originKey } from '../../origin.ts'

/** Whom a connection belongs to: one origin, or a principal whose origins share it. */
export interface ConnectionScope extends Origin {
  readonly isShared?: true
}

/** A text that is the same for equal scopes and no others. */
export function scopeKey(scope: ConnectionScope): string {
  return scope.isShared === true ? JSON.stringify([scope.principal]) : originKey(scope)
}

/** The scope that all origins of a principal share. */
export function sharedScope(principal: string): ConnectionScope {
  return { principal, conversation: '', isShared: true }
}
