import {
  changeServerRequestSchema,
  type ProblemIssue,
  type SavedServerResponse,
  saveServerRequestSchema,
} from '@toolbridge/api'
import { ConfigError } from '@toolbridge/bridge'
import type { SavedSetting } from '@toolbridge/lockbox'
import type { Context, Handler } from 'hono'
import { GatewayError, unknownServer } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody, settingsLimits } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { type ClearEntry, type ClearServers, maskServer } from '../settings/mask-servers.ts'
import { savedWithRecords } from '../settings/renamed-records.ts'
import { parseServers } from '../settings/save-request.ts'
import { changeServers, restoreSavedSecrets, savedResponse } from '../settings/save-servers.ts'
import { readSaved, refuseTooMany, refuseUnusable, type SavedServers } from '../settings/saved-servers.ts'

/** `GET /api/servers/:name`: returns a saved server of the caller, with references instead of secrets. */
export function showServer({ settings }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const name = nameIn(context)
    const { servers, version } = (await readSaved(settings, context.var.principal.id)) ?? nothingSaved
    const server = maskServer(savedServer(servers, name), version)
    return context.json({ name, server, version } satisfies SavedServerResponse)
  }
}

/** `PUT /api/servers/:name`: adds or replaces a saved server of the caller. */
export function saveServer(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = context.var.principal.id
    const name = nameIn(context)
    const {
      server,
      version,
      confirmedDestinations = [],
    } = await readBody(context, saveServerRequestSchema, settingsLimits)
    return atServer(name, async () => {
      const { servers, warnings } = parseServers({ [name]: server })
      const restored = await restoreSavedSecrets(services.settings, owner, servers, confirmedDestinations)
      refuseUnusable(restored, services.owners.savingRules(owner))
      const replace = ({ servers: current }: SavedServers): ClearServers => {
        const next = { ...current, ...restored }
        refuseTooMany(next)
        return next
      }
      const saved = await changeServers(services, owner, replace, version)
      return context.json(savedResponse(saved, fromServer(name, warnings)))
    })
  }
}

/**
 * `PATCH /api/servers/:name`: renames, enables or disables a saved server of the caller. Its secrets stay, and what is stored for it
 * gets the new name.
 */
export function changeServer(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const name = nameIn(context)
    const { version, name: newName = name, disabled } = await readBody(context, changeServerRequestSchema)
    const owner = context.var.principal.id
    const change = ({ servers }: SavedServers): ClearServers => {
      const server = switched(savedServer(servers, name), disabled)
      if (newName !== name) refuseName(servers, newName)
      refuseUnusable({ [newName]: server }, services.owners.savingRules(owner))
      return replaced(servers, name, [newName, server])
    }
    const save = (): Promise<SavedSetting> => changeServers(services, owner, change, version)
    if (newName === name) return context.json(savedResponse(await save()))
    // Nothing is copied for a name or a version that is refused.
    const current = (await readSaved(services.settings, owner)) ?? nothingSaved
    change(current)
    if (version !== undefined && version !== current.version) return context.json(savedResponse(await save()))
    const { spec, tools } = (await services.owners.open(owner)).knownOf(name)
    const saved = await savedWithRecords(services, { owner, from: name, to: newName, spec, tools }, save)
    return context.json(savedResponse(saved))
  }
}

/** `DELETE /api/servers/:name`: removes a saved server of the caller; with `?version=`, only from that version. */
export function removeServer(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const name = nameIn(context)
    const version = versionIn(context)
    const owner = context.var.principal.id
    const saved = await changeServers(services, owner, ({ servers }) => without(servers, name), version)
    return context.json(savedResponse(saved))
  }
}

const nothingSaved: SavedServers = { servers: {}, version: 0 }

function nameIn(context: Context<GatewayEnv>): string {
  return context.req.param('name') ?? ''
}

function versionIn(context: Context<GatewayEnv>): number | undefined {
  const version = context.req.query('version')
  if (version === undefined) return undefined
  if (/^\d{1,9}$/.test(version)) return Number(version)
  throw new GatewayError('invalid_request', 'the version in the query must be an integer')
}

function savedServer(servers: ClearServers, name: string): ClearEntry {
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (entry === undefined) throw unknownServer(name)
  return entry
}

function switched({ disabled: before, ...entry }: ClearEntry, disabled = before === true): ClearEntry {
  return disabled ? { ...entry, disabled } : entry
}

/** The order of the servers stays. */
function replaced(
  servers: ClearServers,
  name: string,
  replacement: readonly [name: string, entry: ClearEntry],
): ClearServers {
  return Object.fromEntries(Object.entries(servers).map((saved) => (saved[0] === name ? replacement : saved)))
}

function refuseName(servers: ClearServers, name: string): void {
  const isTaken = Object.hasOwn(servers, name)
  if (!isTaken && name.trim() !== '' && name !== '__proto__') return
  const message = isTaken ? `you have a server "${name}" already; choose another name` : 'must be a name'
  throw new GatewayError('invalid_request', 'the server cannot be renamed', [{ path: '/name', message }])
}

function without(servers: ClearServers, name: string): ClearServers {
  savedServer(servers, name)
  return Object.fromEntries(Object.entries(servers).filter(([each]) => each !== name))
}

/** Gives the issues of a save their paths in the request for one server. */
async function atServer<T>(name: string, save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (error instanceof ConfigError) throw ConfigError.of(error.issues.map((issue) => inServer(name, issue)))
    if (!(error instanceof GatewayError)) throw error
    const { code, message, issues, details } = error
    throw new GatewayError(code, message, fromServer(name, issues), details)
  }
}

/** The line and column are those of a text that the caller did not write. */
function fromServer(name: string, issues: readonly ProblemIssue[]): readonly ProblemIssue[] {
  return issues.map(({ path, message }) => inServer(name, { path, message }))
}

function inServer<T extends { readonly path: string }>(name: string, issue: T): T {
  const prefix = pointerTo(['mcpServers', name])
  const { path } = issue
  return `${path}/`.startsWith(`${prefix}/`)
    ? { ...issue, path: `/server${path.slice(prefix.length)}` }
    : issue
}
