import type { ServerDescription } from '../model/capability.ts'
import type { McpTransport, RequestOptions } from '../transport.ts'
import type { ClientHost, RevisionCodec } from './codec.ts'
import { legacyCodec } from './legacy.ts'

/** An open conversation: what the server said of itself, and how to speak to it. */
export interface Session {
  readonly description: ServerDescription
  readonly codec: RevisionCodec
}

/** Starts the transport and opens the conversation in a revision that both sides speak. */
export async function negotiate(
  transport: McpTransport,
  host: ClientHost,
  options: RequestOptions,
): Promise<Session> {
  const codec = legacyCodec(transport, host)
  transport.setHandlers({
    onRequest: codec.onRequest,
    ...(host.onNotification === undefined ? {} : { onNotification: host.onNotification }),
    ...(host.onClose === undefined ? {} : { onClose: host.onClose }),
    ...(host.onWarning === undefined ? {} : { onWarning: host.onWarning }),
  })
  await transport.start()
  return { codec, description: await codec.open(options) }
}
