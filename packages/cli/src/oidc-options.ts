import type { OidcOptions } from '@toolbridge/gateway'
import { type Options, type OptionTable, textOption, textOptions } from './command.ts'
import type { Terminal } from './terminal.ts'
import { incomplete } from './incomplete-options.ts'
import { UsageError } from './usage-error.ts'

/** Options of `serve` for people of an issuer. */
export const oidcOptions: OptionTable = {
  'oidc-issuer': { type: 'string' },
  'oidc-audience': { type: 'string' },
  'oidc-client-id': { type: 'string' },
  'oidc-principal-claim': { type: 'string' },
  'oidc-role-claim': { type: 'string' },
  'oidc-member': { type: 'string', multiple: true },
  'oidc-admin': { type: 'string', multiple: true },
}

/** Help of these options. */
export const oidcHelp: readonly string[] = [
  '  --oidc-issuer <url>            OpenID Connect issuer whose tokens are accepted',
  '  --oidc-audience <name>         required value of "aud" in its access tokens',
  '  --oidc-client-id <id>          client of the console, whose redirect URI is the address of the gateway and a slash. Its secret,',
  '                                 if it has one, is in TOOLBRIDGE_OIDC_CLIENT_SECRET',
  '  --oidc-principal-claim <name>  claim that identifies a person. Default: sub',
  '  --oidc-role-claim <name>       claim with the roles of a person, such as groups. Default: everyone is a member',
  '  --oidc-member <value>          value of that claim for members. Can be repeated',
  '  --oidc-admin <value>           value of that claim for administrators, who can revoke the API keys of everyone. Can be repeated',
]

/** Reads the options of an issuer. Undefined without any. Throws if they are incomplete. */
export function oidcFrom(options: Options, { env }: Pick<Terminal, 'env'>): OidcOptions | undefined {
  const given = Object.keys(oidcOptions).find((name) => options[name] !== undefined)
  if (given === undefined) return undefined
  const [issuer, audience] = [textOption(options, 'oidc-issuer'), textOption(options, 'oidc-audience')]
  if (issuer === undefined || audience === undefined)
    throw incomplete(given, { 'oidc-issuer': issuer, 'oidc-audience': audience })
  const clientId = textOption(options, 'oidc-client-id')
  const clientSecret = env['TOOLBRIDGE_OIDC_CLIENT_SECRET']
  const principalClaim = textOption(options, 'oidc-principal-claim')
  return {
    issuer,
    audience,
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientId === undefined || clientSecret === undefined ? {} : { clientSecret }),
    ...(principalClaim === undefined ? {} : { principalClaim }),
    ...rolesFrom(options),
  }
}

function rolesFrom(options: Options): Pick<OidcOptions, 'roles'> {
  const claim = textOption(options, 'oidc-role-claim')
  const [member, admin] = [textOptions(options, 'oidc-member'), textOptions(options, 'oidc-admin')]
  const hasValues = member.length + admin.length > 0
  if (hasValues !== (claim !== undefined))
    throw new UsageError('--oidc-role-claim needs --oidc-member or --oidc-admin, and these need it')
  return claim === undefined ? {} : { roles: { claim, member, admin } }
}
