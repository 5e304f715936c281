/** The caller that a call or a question belongs to: a principal, and one of its conversations. */
export interface Origin {
  /** The person or program on whose behalf calls are made. */
  readonly principal: string
  /** The conversation of the principal. */
  readonly conversation: string
  /**
   * The conversation has no identity that later calls could name, so nothing is kept for it: approvals are not offered for
   * the rest of it, and its idle connections serve other anonymous conversations of the principal. Default: false.
   */
  readonly isAnonymous?: boolean
}

/** Returns a key that is the same for equal origins only. */
export function originKey({ principal, conversation }: Origin): string {
  return JSON.stringify([principal, conversation])
}
