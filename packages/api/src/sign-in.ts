import { z } from 'zod'

/** Body of `POST /api/session`: the single-use code from the fragment of the printed address. */
export interface SignInRequest {
  readonly code: string
}

export const signInRequestSchema: z.ZodType<SignInRequest> = z.strictObject({
  code: z.string().min(1).max(256),
})

export interface SignInResponse {
  /** Bearer for every other request; keep it in `sessionStorage`, never in a cookie or a URL. */
  readonly token: string
  readonly principal: string
}

/** Answer of `POST /api/session/code`, which wants the owner's token: a fresh code for whoever asks on that machine. */
export interface SignInCodeResponse {
  readonly code: string
}
