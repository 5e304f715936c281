import { z } from 'zod'

/** Response of `POST /api/servers/:name/sign-in`. */
export interface ServerSignInResponse {
  /** The page of the authorization server to open in the browser of the person. A secret: do not log it. */
  readonly url: string
}

/** Body of `POST /api/oauth/callback`. */
export interface FinishServerSignInRequest {
  /** The URL that the authorization server sent the browser to. */
  readonly url: string
}

/** Schema of `FinishServerSignInRequest`. */
export const finishServerSignInRequestSchema: z.ZodType<FinishServerSignInRequest> = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be the URL of the page' }),
})

/** Response of `POST /api/oauth/callback`. */
export interface FinishServerSignInResponse {
  /** Name of the server, which is started again. */
  readonly server: string
}

/** Response of `DELETE /api/servers/:name/sign-in`. */
export interface ServerSignOutResponse {
  /** Always true. */
  readonly success: true
}
