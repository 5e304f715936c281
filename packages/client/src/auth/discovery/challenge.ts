import { parseChallenges } from './challenge-grammar.ts'

/** What the challenges of a 401 or 403 say to an MCP client. */
export interface McpChallenge {
  /** Where the resource's metadata is (RFC 9728 section 5.1). */
  readonly resourceMetadataUrl: string | undefined
  readonly scope: string | undefined
  readonly error: string | undefined
  readonly errorDescription: string | undefined
  /** Whether the server takes tokens that are bound to a key (RFC 9449 section 7.1). */
  readonly offersDpop: boolean
  /** Whether a DPoP proof was missing a nonce (RFC 9449 section 9). */
  readonly wantsDpopNonce: boolean
}

/**
 * Reads the Bearer and DPoP challenges of a response; others are ignored, and the first that says something is
 * believed. Undefined if there is none of either. Throws `challenge_malformed`.
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
