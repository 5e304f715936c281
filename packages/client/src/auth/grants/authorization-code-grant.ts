import { callbackParameters } from './callback.ts'
import { chooseClientAuthentication } from '../registration/client-authentication.ts'
import { knownClientFor } from '../registration/client-identity.ts'
import type { Grant } from './grant.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

/** The authorization code grant: a person signs in. */
export const authorizationCodeGrant: Grant = {
  needsPerson: true,
  async obtain(context, { target, scope, dpopKey, requiresDpop, signal }) {
    const url = await beginSignIn(context, target, { scope, dpopKey, requiresDpop, signal })
    const returned = await context.provider.redirectToAuthorization(url, { signal })
    if (returned === undefined) return { kind: 'redirect', authorizationUrl: url.href }
    const state = url.searchParams.get('state')
    const { login } = await finishSignIn(context, callbackParameters(returned), { state, signal })
    return { kind: 'tokens', login }
  },
  async authentication({ provider, now }, server, client) {
    const known = client ?? (await knownClientFor(server, { provider, now }))
    return chooseClientAuthentication({ client: known, server })
  },
}
