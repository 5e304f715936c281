import {
  ClientNotificationSchema,
  ClientRequestSchema,
  ServerNotificationSchema,
  ServerRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { specTypeSchemas } from '@modelcontextprotocol/server'

/** The methods of one direction, sorted. */
export interface OfficialMethods {
  /** From the SDK of the newest revision with a handshake. */
  readonly legacy: readonly string[]
  /** From the SDK of both eras, combined and without tasks. */
  readonly both: readonly string[]
}

/** The methods of the official SDKs, by direction. */
export const officialMethods: Readonly<
  Record<'clientRequests' | 'clientNotifications' | 'serverRequests' | 'serverNotifications', OfficialMethods>
> = {
  clientRequests: methods(ClientRequestSchema, specTypeSchemas.ClientRequest),
  clientNotifications: methods(ClientNotificationSchema, specTypeSchemas.ClientNotification),
  serverRequests: methods(ServerRequestSchema, specTypeSchemas.ServerRequest),
  serverNotifications: methods(ServerNotificationSchema, specTypeSchemas.ServerNotification),
}

/** A union of messages, each with its method as a constant. */
interface Union {
  readonly options: readonly { readonly shape: { readonly method: { readonly value: string } } }[]
}

function methods(legacy: object, both: object): OfficialMethods {
  return { legacy: methodsOf(legacy), both: methodsOf(both) }
}

function methodsOf(schema: object): readonly string[] {
  if (!('options' in schema)) throw new TypeError('the SDK does not show the members of its unions any more')
  const { options } = schema as Union
  return [...new Set(options.map(({ shape }) => shape.method.value))].toSorted()
}
