import type { Requirement } from '../requirements.ts'

type Row = readonly [id: string, levels: Requirement['levels'], page: string, behaviour: string]

const rows: readonly Row[] = [
  [
    'A1',
    '-MMMM',
    'basic/authorization/authorization-server-discovery',
    'After status 401 finds the metadata of the resource and then of its authorization server, in the order laid down.',
  ],
  [
    'A2',
    '-SSSM',
    'basic/authorization/authorization-server-discovery',
    'Uses the metadata of an authorization server only if its issuer is exactly the one that was asked for.',
  ],
  [
    'A3',
    '-MMMM',
    'basic/authorization/security-considerations',
    'Uses PKCE with S256 and refuses a server that does not advertise it.',
  ],
  [
    'A4',
    '--MMM',
    'basic/authorization',
    'Names the resource when it asks for authorization, for a token and for a fresh token.',
  ],
  [
    'A5',
    '--MMM',
    'basic/authorization',
    'Gives up when the metadata is about another resource than the server.',
  ],
  [
    'A6',
    '---SM',
    'basic/authorization/security-considerations',
    'Compares `iss` of the authorization response with the issuer that it began with.',
  ],
  [
    'A7',
    '--SSM',
    'basic/authorization/client-registration',
    'Keeps credentials and tokens by issuer and registers anew with another one.',
  ],
  [
    'A8',
    '-SSSM',
    'basic/authorization/client-registration',
    'Prefers credentials that it has to a metadata document, that to registration, and says what kind of application it is.',
  ],
  [
    'A9',
    '---SS',
    'basic/authorization',
    'Asks for the scopes that it was told to, adds those of a later challenge, and stops after a few attempts.',
  ],
  [
    'A10',
    '-SSSS',
    'basic/authorization',
    'Refreshes a token once for all who wait, and keeps a rotated one at once.',
  ],
  [
    'A11',
    '-OOOO',
    'basic/authorization',
    'Authorizes machines: client credentials, signed assertions, enterprise grants, bound tokens.',
  ],
]

/** OAuth for servers that are reached over HTTP. */
export const authorization: readonly Requirement[] = rows.map(([id, levels, page, behaviour]) => ({
  id,
  levels,
  page: `2026-07-28/${page}`,
  behaviour,
}))
