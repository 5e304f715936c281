import { remoteTransports } from './remote-transports.ts'
import type { HttpServerSpec, ServerSpec } from './server-spec.ts'

/** Returns whether a person may have to sign in to the server: its transport supports OAuth and `auth` does not disable it. */
export function mayUseOAuth(spec: ServerSpec): spec is HttpServerSpec {
  return spec.transport !== 'stdio' && remoteTransports[spec.transport].hasOAuth && spec.auth?.kind !== 'none'
}
