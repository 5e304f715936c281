import type { Bridge, ServerSpec } from '@toolbridge/bridge'
import { explainPermission, type PermissionExplanation } from '@toolbridge/bridge/permissions'
import { callArguments } from '../../arguments/call-arguments.ts'
import { type GivenArguments, givenArguments } from '../../arguments/given-arguments.ts'
import { possibleArguments } from '../../arguments/untyped-arguments.ts'
import { type Invocation, textOption } from '../../command.ts'
import { requireConfiguration } from '../../configuration.ts'
import { messagesFrom } from '../../messages.ts'
import { reportFailures } from '../../servers/selected-servers.ts'
import { findTool, nearestTool, serversThatMayHave } from '../../servers/find-tool.ts'
import { localPrincipal, openTerminalBridge, terminalAuthority } from '../../terminal-bridge.ts'
import { timeoutsFrom } from '../../timeouts.ts'
import { ExitCode } from '../../exit-code.ts'
import { UsageError } from '../../usage-error.ts'
import { effectivePermissions, type EffectivePermissions } from '../../permissions/effective-permissions.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What would happen to a call, and why. */
export interface ExplainedCall extends PermissionExplanation {
  readonly spec: ServerSpec
  /** Raw name of the tool. */
  readonly tool: string
  readonly permissions: EffectivePermissions
  /** Undefined if none were given and none are assumed. */
  readonly arguments: Arguments | undefined
  /** Whether the server was started, because annotations or types of arguments decide. */
  readonly isStarted: boolean
}

interface Request extends Invocation {
  readonly name: string
  readonly given: GivenArguments | undefined
  readonly permissions: EffectivePermissions
  readonly servers: readonly ServerSpec[]
}

/**
 * Explains the call that a command line names, with arguments as for `call`. Starts the server only if annotations or
 * types of arguments decide, or if the name is not `server.tool`. Without arguments the call has none, or with
 * `mayBeOpen` any. Returns an exit status if a server that is needed did not start.
 */
export async function explainedCall(
  invocation: Invocation,
  { mayBeOpen }: { readonly mayBeOpen: boolean },
): Promise<ExplainedCall | ExitCode> {
  const { positionals, options, terminal } = invocation
  const [name, ...words] = positionals
  if (name === undefined)
    throw new UsageError('missing tool: expected <server>.<tool>. See: toolbridge tools')
  const json = textOption(options, 'json')
  const isOpen = mayBeOpen && words.length === 0 && json === undefined
  const given = isOpen ? undefined : await givenArguments(words, json, terminal)
  const { servers, files } = await requireConfiguration(terminal, options)
  const permissions = await effectivePermissions(terminal, options, files)
  const request = { ...invocation, name, given, permissions, servers }
  return (await withoutServer(request)) ?? withServer(request)
}

/** Undefined if the server is needed. */
async function withoutServer(request: Request): Promise<ExplainedCall | undefined> {
  const { name, given, servers } = request
  const named = splitName(servers, name)
  if (named === undefined) return undefined
  const [asText, asJson] = given === undefined ? [undefined, undefined] : possibleArguments(given)
  const explained = await explain(request, { ...named, arguments: asText })
  const other = await explain(request, { ...named, arguments: asJson })
  const isCertain = !explained.needsAnnotations && explained.verdict === other.verdict
  return isCertain ? { ...other, isStarted: false } : undefined
}

interface NamedTool {
  readonly spec: ServerSpec
  readonly tool: string
  readonly publicName?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly arguments: Arguments | undefined
}

async function explain(
  { permissions, terminal }: Request,
  { spec, tool, publicName, annotations, arguments: args }: NamedTool,
): Promise<Omit<ExplainedCall, 'isStarted'>> {
  const explanation = await explainPermission(
    permissions.rules,
    {
      server: spec,
      tool,
      principal: localPrincipal,
      authority: terminalAuthority(terminal),
      ...(publicName === undefined ? {} : { name: publicName }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(args === undefined ? {} : { arguments: args }),
    },
    { signal: terminal.signal },
  )
  return { ...explanation, spec, tool, permissions, arguments: args }
}

/** The server and tool of `server.tool`, `server/tool` or `mcp://server/tool`; the longest server name wins. */
function splitName(
  servers: readonly ServerSpec[],
  name: string,
): Pick<NamedTool, 'spec' | 'tool'> | undefined {
  const [, server, item] = /^mcp:\/\/([^/]+)\/(.+)$/s.exec(name) ?? []
  if (server !== undefined && item !== undefined) {
    const spec = servers.find((each) => each.name === decodedPart(server))
    return spec && { spec, tool: decodedPart(item) }
  }
  const [spec] = servers
    .filter((each) => ['.', '/'].some((separator) => name.startsWith(each.name + separator)))
    .toSorted((one, other) => other.name.length - one.name.length)
  const tool = spec && name.slice(spec.name.length + 1)
  return spec === undefined || !tool ? undefined : { spec, tool }
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new UsageError(`invalid percent-encoding in "${part}"`)
  }
}

async function withServer(request: Request): Promise<ExplainedCall | ExitCode> {
  const { options, terminal, permissions, servers, name, given } = request
  const needed = serversThatMayHave(servers, name)
  await using bridge = await openTerminalBridge(terminal, needed, {
    startAs: timeoutsFrom(options),
    messages: messagesFrom(options),
    permissions: permissions.rules,
  })
  const tool = findTool(bridge.tools, name)
  if (tool === undefined) return missing(bridge, request)
  const spec = needed.find((each) => each.name === tool.server)
  if (spec === undefined) throw new TypeError('a tool has a server')
  const target = { name: tool.name, schema: tool.definition.inputSchema }
  const explained = await explain(request, {
    spec,
    tool: tool.rawName,
    publicName: tool.name,
    annotations: { ...tool.definition.annotations },
    arguments: given && callArguments(given, target),
  })
  return { ...explained, isStarted: true }
}

function missing(bridge: Bridge, { name, terminal }: Request): ExitCode {
  const code = reportFailures(bridge.status(), terminal)
  if (code !== ExitCode.Ok) return code
  const nearest = nearestTool(bridge.tools, name)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  throw new UsageError(`unknown tool "${name}".${hint} See: toolbridge tools`)
}
