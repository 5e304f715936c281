import { changeServerRequestSchema, type ServerEntry, saveServerRequestSchema } from '@toolbridge/api'

type Servers = Readonly<Record<string, ServerEntry>>

/** The servers after a request about one of them; undefined if the request does not change them. */
export function serversAfter(
  method: string | undefined,
  servers: Servers,
  name: string,
  body: unknown,
): Servers | undefined {
  const { [name]: entry, ...others } = servers
  if (method === 'DELETE') return others
  if (method === 'PUT') return { ...servers, [name]: entryIn(body) }
  if (method !== 'PATCH' || entry === undefined) return undefined
  const { name: newName = name, disabled = entry.disabled } = changeServerRequestSchema.parse(body)
  const { disabled: _before, ...rest } = entry
  return { ...others, [newName]: disabled === true ? { ...rest, disabled } : rest }
}

/** The schema leaves the fields to the gateway. */
function entryIn(body: unknown): ServerEntry {
  const { server }: { readonly server: object } = saveServerRequestSchema.parse(body)
  return server as ServerEntry
}

/** The last version, with references instead of variables. */
export function maskedConfig(saved: readonly Servers[]): object {
  const last = saved.at(-1)
  if (last === undefined) return { mcpServers: {} }
  return {
    mcpServers: Object.fromEntries(
      Object.entries(last).map(([name, entry]) => [name, mask(entry, saved.length)]),
    ),
    version: saved.length,
  }
}

/** A server with references instead of variables. */
export function mask(entry: ServerEntry, version: number): ServerEntry {
  if (!('env' in entry) || entry.env === undefined) return entry
  return {
    ...entry,
    env: Object.fromEntries(Object.keys(entry.env).map((name) => [name, { kept: version }])),
  }
}
