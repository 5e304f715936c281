import { z } from 'zod'

/** Body of `POST /api/session`. */
export interface SignInRequest {
  /** Single-use code from the fragment of the sign-in URL. */
  readonly code: string
}

/** Schema of `SignInRequest`. */
export const signInRequestSchema: z.ZodType<SignInRequest> = z.strictObject({
  code: z.string().min(1).max(256),
})

/** Response of `POST /api/session`. */
export interface SignInResponse {
  /**
   * Bearer token for the other requests. Keep it in `localStorage`, never in a cookie or a URL. It expires after twelve hours
   * without use.
   */
  readonly token: string
  /** Id of the person who signed in. */
  readonly principal: string
}

/** Response of `POST /api/session/code`, which requires the token in the `owner-token` file. */
export interface SignInCodeResponse {
  /** A new single-use sign-in code. */
  readonly code: string
}

/** Response of `DELETE /api/session`, which revokes the token of the request. */
export interface SignOutResponse {
  /** Always true. */
  readonly success: true
}
