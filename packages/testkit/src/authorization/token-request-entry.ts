/** A request to the token endpoint, as the authorization server saw it. Tokens appear as digests only. */
export interface TokenRequestEntry {
  readonly atMs: number
  readonly grantType: string
  readonly clientId: string
  /** Identifies one grant across all its refreshes. */
  readonly grant?: string
  /** The refresh token that was sent. */
  readonly refreshToken?: string
  /** Number of earlier rotations of the refresh token. */
  readonly generation?: number
  /** The refresh token that was issued. */
  readonly issued?: string
  /** `granted`, or the error code. */
  readonly outcome: string
  /** Detail of the error that is not sent to the client. */
  readonly detail?: string
}
