import { type NamingPolicy, type ToolPair, nameTools } from '@toolbridge/client/internal'
import { McpError, McpErrorCode, type Tool } from '@toolbridge/client'
import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import { aiSdkTools } from '../../adapters/ai-sdk.ts'
import type { Bridge } from '../../bridge.ts'
import type { CallOptions } from '../../call.ts'
import { type BridgeTool, Catalog } from '../../catalog/catalog.ts'
import type { ProfileName } from '../../catalog/profiles/profile.ts'
import { ToolCompiler } from '../../catalog/tool-compiler.ts'
import { toolUri } from '../../catalog/tool-uri.ts'
import type { SchemaChecks } from '../../catalog/schema/schema-checks.ts'
import type { BoundToolkit } from '../toolkits/resolve-toolkits.ts'

/** A usable toolkit, with its client if that is open. */
export interface UsableToolkit {
  readonly toolkit: BoundToolkit
  /** The tools that are shown while the client is not open. */
  readonly tools: readonly Tool[] | undefined
  /** Undefined while only the known tools of the toolkit are shown. */
  readonly bridge: Bridge | undefined
  /** The options of each call. */
  readonly callOptions: CallOptions
  use<T>(signal: AbortSignal | undefined, work: (bridge: Bridge) => Promise<T>): Promise<T>
}

/** The naming and lowering of tools. */
export interface ToolStyle {
  readonly naming: NamingPolicy
  readonly profile: ProfileName
  readonly checks: SchemaChecks
}

/** The tools of several toolkits in one set. */
export interface NamedTools {
  readonly tools: ToolSet
  /** Names in the set with the servers' own names, by toolkit. */
  readonly byToolkit: ReadonlyMap<string, readonly NamedTool[]>
  /** Tools of different toolkits with the same name. */
  readonly collisions: readonly { readonly pair: ToolPair; readonly name: string | undefined }[]
}

/** The name of a tool in the set, and the server's own. */
export interface NamedTool {
  readonly name: string
  readonly rawName: string
}

type AiTool = ToolSet[string]

/** A tool before its name is checked for collisions. */
interface ShownTool {
  readonly pair: ToolPair
  readonly name: string
  readonly tool: AiTool
}

/**
 * The tools of toolkits for the AI SDK, in order. A call reopens the client if necessary and uses the current definition
 * of the tool.
 */
export function workflowTools(toolkits: readonly UsableToolkit[], style: ToolStyle): NamedTools {
  const shown = toolkits.flatMap((toolkit) => shownTools(toolkit, style))
  const names = nameTools(
    shown.map(({ pair }) => pair),
    style.naming,
  )
  const tools: (readonly [string, AiTool])[] = []
  const byToolkit = new Map<string, NamedTool[]>(toolkits.map(({ toolkit }) => [toolkit.name, []]))
  const collisions: { readonly pair: ToolPair; readonly name: string | undefined }[] = []
  for (const [index, { pair, name: own, tool }] of shown.entries()) {
    const { name: unique, hasCollided } = names[index] ?? { name: undefined, hasCollided: false }
    const name = hasCollided ? unique : own
    if (hasCollided) collisions.push({ pair, name })
    if (name === undefined) continue
    tools.push([name, tool])
    byToolkit.get(pair.server)?.push({ name, rawName: pair.tool })
  }
  return { tools: Object.fromEntries(tools), byToolkit, collisions }
}

function shownTools(usable: UsableToolkit, style: ToolStyle): readonly ShownTool[] {
  const { toolkit, bridge } = usable
  const { profile } = style
  const live = liveTools(usable, profile)
  const { tools } = bridge?.toolsFor(profile) ?? knownTools(usable, style).compile(profile)
  return tools.map(({ name, description, parameters, tool: { rawName, definition } }) => ({
    pair: { server: toolkit.name, tool: rawName },
    name,
    tool: dynamicTool({
      ...(definition.title === undefined ? {} : { title: definition.title }),
      description,
      inputSchema: jsonSchema(parameters),
      execute: (input, options) =>
        usable.use(options.abortSignal, async (client) =>
          live.find(client, rawName).execute?.(input, options),
        ),
      toModelOutput: (options) => live.modelOutput(options),
    }),
  }))
}

/** The known tools of a toolkit, lowered without starting its server. */
function knownTools(
  { toolkit: { name }, tools = [] }: UsableToolkit,
  { naming, checks }: ToolStyle,
): ToolCompiler {
  const tell = (): void => {}
  const catalog = new Catalog(tell, naming)
  catalog.show([{ name, tools }])
  return new ToolCompiler(catalog, tell, checks)
}

interface LiveTools {
  /** Returns the current tool of the server. Throws if it no longer exists. */
  find(bridge: Bridge, rawName: string): AiTool
  /** Converts a result for the model. */
  readonly modelOutput: NonNullable<Parameters<typeof dynamicTool>[0]['toModelOutput']>
}

function liveTools({ toolkit, callOptions }: UsableToolkit, profile: ProfileName): LiveTools {
  const made = new WeakMap<BridgeTool, AiTool>()
  let latest: AiTool | undefined
  return {
    find: (bridge, rawName) => {
      const listed = bridge.tool(toolUri(toolkit.name, rawName))
      const [tool] = listed === undefined ? [] : [made.get(listed) ?? toolOf(bridge, listed)]
      if (listed === undefined || tool === undefined) throw goneTool(toolkit.name, rawName)
      made.set(listed, tool)
      latest = tool
      return tool
    },
    // Before the first call there are only results of a stored conversation, which are shown as stored.
    modelOutput: (options) =>
      latest?.toModelOutput?.(options) ?? { type: 'text', value: JSON.stringify(options.output) ?? '' },
  }

  function toolOf(bridge: Bridge, { name }: BridgeTool): AiTool | undefined {
    return Object.values(aiSdkTools(bridge, { ...callOptions, profile, only: [name] }))[0]
  }
}

function goneTool(toolkit: string, tool: string): McpError {
  const message = `toolkit "${toolkit}" no longer has the tool "${tool}"`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}
