import { parseChallenges } from './challenge-grammar.ts'

/** The challenges of a 401 or 403, as far as an MCP client uses them. */
export interface McpChallenge {
  /** The URL of the resource metadata (RFC 9728 section 5.1). */
  readonly resourceMetadataUrl: string | undefined
  readonly scope: string | undefined
  readonly error: string | undefined
  readonly errorDescription: string | undefined
  /** Whether the server accepts DPoP-bound tokens (RFC 9449 section 7.1). */
  readonly offersDpop: boolean
  /** Whether the DPoP proof lacked a nonce (RFC 9449 section 9). */
  readonly wantsDpopNonce: boolean
}

/**
 * Reads the Bearer and DPoP challenges of a response; of each parameter the first value counts. Undefined if there is no
 * such challenge. Throws `challenge_malformed`.
 */
export function readChallenge(headers: Readonly<Record<string, string>>): McpChallenge | undefined {
  const usable = parseChallenges(headers['www-authenticate'] ?? '').filter(
    ({ scheme }) => scheme === 'bearer' || scheme === 'dpop',
  )
  if (usable.length === 0) return undefined
  const first = (name: string): string | undefined =>
    usable.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined && value !== '')
  return {
    resourceMetadataUrl: first('resource_metadata'),
    scope: first('scope'),
    error: first('error'),
    errorDescription: first('error_description'),
    offersDpop: usable.some(({ scheme }) => scheme === 'dpop'),
    wantsDpopNonce: usable.some(({ parameters }) => parameters.get('error') === 'use_dpop_nonce'),
  }
}
