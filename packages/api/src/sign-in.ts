import { z } from 'zod'

/** Body of `POST /api/session` with a code of the gateway. */
export interface CodeSignInRequest {
  /** Single-use code from the fragment of the sign-in URL. */
  readonly code: string
}

/** Body of `POST /api/session` with a code of the issuer. */
export interface IssuerSignInRequest {
  /** Code that the issuer gave to the page. */
  readonly authorizationCode: string
  /** Verifier of the code challenge (PKCE) that the page sent to the issuer. */
  readonly codeVerifier: string
  /** Nonce that the page sent to the issuer. */
  readonly nonce: string
  /** Loopback URL to which the issuer returned, of a program. Default: the page. */
  readonly redirectUri?: string | undefined
}

/** Body of `POST /api/session`. */
export type SignInRequest = CodeSignInRequest | IssuerSignInRequest

/** Schema of `SignInRequest`. */
export const signInRequestSchema: z.ZodType<SignInRequest> = z.union([
  z.strictObject({ code: z.string().min(1).max(256) }),
  z.strictObject({
    authorizationCode: z.string().min(1).max(2_048),
    codeVerifier: z.string().min(43).max(128),
    nonce: z.string().min(16).max(256),
    redirectUri: z
      .string()
      .regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/callback$/)
      .optional(),
  }),
])

/** What a page or a program needs to sign in at the issuer, by authorization code and PKCE. */
export interface IssuerSignInSettings {
  /** Identifier of the issuer, which must be `iss` of the callback if that has one (RFC 9207). */
  readonly issuer: string
  /** URL to send the person to. */
  readonly authorizationEndpoint: string
  /** Id of the page's client. */
  readonly clientId: string
  /** URL of the page to which the issuer returns. A program uses `http://127.0.0.1:<port>/callback`. */
  readonly redirectUri: string
  /** Scopes to request, separated by spaces. */
  readonly scope: string
}

/** Response of `GET /api/session`, which needs no token. */
export interface SignInOptionsResponse {
  /** How to sign in at the issuer. Null if the gateway has none for pages. */
  readonly issuer: IssuerSignInSettings | null
}

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

/** Response of `DELETE /api/session`, which revokes the token of the request; with `?everywhere=1`, all sign-ins of the caller. */
export interface SignOutResponse {
  /** Always true. */
  readonly success: true
}

/** Response of `DELETE /api/people/:id`, which requires an administrator and revokes all access that a person has. */
export interface RemovePersonResponse {
  /** Number of API keys that were revoked. */
  readonly keys: number
  /** Number of sign-ins that were revoked. */
  readonly signIns: number
}
