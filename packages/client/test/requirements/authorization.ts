import type { Requirement } from '../requirements.ts'

type Row = readonly [id: string, levels: Requirement['levels'], page: string, behaviour: string]

const rows: readonly Row[] = [
  [
    'A1',
    '-MMMM',
    'basic/authorization/authorization-server-discovery',
    'After status 401, finds the metadata of the resource and then of its authorization server, in the specified order.',
  ],
  [
    'A2',
    '-SSSM',
    'basic/authorization/authorization-server-discovery',
    'Uses the metadata of an authorization server only if its issuer is exactly the requested one.',
  ],
  [
    'A3',
    '-MMMM',
    'basic/authorization/security-considerations',
    'Uses PKCE with S256 and rejects a server that does not advertise it.',
  ],
  ['A4', '--MMM', 'basic/authorization', 'Sends the resource in authorization, token and refresh requests.'],
  ['A5', '--MMM', 'basic/authorization', 'Rejects metadata of another resource.'],
  [
    'A6',
    '---SM',
    'basic/authorization/security-considerations',
    'Compares `iss` of the authorization response with the recorded issuer.',
  ],
  [
    'A7',
    '--SSM',
    'basic/authorization/client-registration',
    'Stores credentials and tokens by issuer and registers again with another issuer.',
  ],
  [
    'A8',
    '-SSSM',
    'basic/authorization/client-registration',
    'Prefers existing credentials to a metadata document, and that to registration; states its application type.',
  ],
  [
    'A9',
    '---SS',
    'basic/authorization',
    'Requests the scopes of the challenge, adds those of later challenges, and stops after a few attempts.',
  ],
  [
    'A10',
    '-SSSS',
    'basic/authorization',
    'Refreshes a token once for all waiting requests, and stores a rotated token immediately.',
  ],
  [
    'A11',
    '-OOOO',
    'basic/authorization',
    'Authorizes machines: client credentials, signed assertions, enterprise grants, bound tokens.',
  ],
]

/** OAuth for HTTP servers. */
export const authorization: readonly Requirement[] = rows.map(([id, levels, page, behaviour]) => ({
  id,
  levels,
  page: `2026-07-28/${page}`,
  behaviour,
}))
