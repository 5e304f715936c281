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
  /** Bearer token for the other requests. Keep it in `sessionStorage`, never in a cookie or a URL. */
  readonly token: string
  /** Id of the person who signed in. */
  readonly principal: string
}

/** Response of `POST /api/session/code`, which requires the token in the `owner-token` file. */
export interface SignInCodeResponse {
  /** A new single-use sign-in code. */
  readonly code: string
}
