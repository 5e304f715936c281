import { type NamingPolicy, type ToolPair, nameTools } from '@toolbridge/client/internal'
import { McpError, McpErrorCode } from '@toolbridge/client'
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

/** A toolkit that can be used: what it is, its client if that is open, and the way to it in any case. */
export interface UsableToolkit {
  readonly toolkit: BoundToolkit
  /** Undefined while only the tools are known that came with the toolkit. */
  readonly bridge: Bridge | undefined
  /** What each call is made with. */
  readonly callOptions: CallOptions
  use<T>(signal: AbortSignal | undefined, work: (bridge: Bridge) => Promise<T>): Promise<T>
}

/** How tools are named and described. */
export interface ToolStyle {
  readonly naming: NamingPolicy
  readonly profile: ProfileName
  readonly checks: SchemaChecks
}

/** The tools of several toolkits in one set. */
export interface NamedTools {
  readonly tools: ToolSet
  /** Names in the set, by toolkit. */
  readonly byToolkit: ReadonlyMap<string, readonly string[]>
  /** Tools of different toolkits that would have shared a name. */
  readonly collisions: readonly { readonly pair: ToolPair; readonly name: string | undefined }[]
}

type AiTool = ToolSet[string]

/** A tool before it is known whether another toolkit has one of the same name. */
interface ShownTool {
  readonly pair: ToolPair
  readonly name: string
  readonly tool: AiTool
}

/**
 * The tools of these toolkits for the AI SDK, in their order. Each opens its client again when that was closed in the
 * meantime, and asks the server what it has to say about the tool before it is called.
 */
export function workflowTools(toolkits: readonly UsableToolkit[], style: ToolStyle): NamedTools {
  const shown = toolkits.flatMap((toolkit) => shownTools(toolkit, style))
  const names = nameTools(
    shown.map(({ pair }) => pair),
    style.naming,
  )
  const tools: (readonly [string, AiTool])[] = []
  const byToolkit = new Map<string, string[]>(toolkits.map(({ toolkit }) => [toolkit.name, []]))
  const collisions: { readonly pair: ToolPair; readonly name: string | undefined }[] = []
  for (const [index, { pair, name: own, tool }] of shown.entries()) {
    const { name: unique, hasCollided } = names[index] ?? { name: undefined, hasCollided: false }
    const name = hasCollided ? unique : own
    if (hasCollided) collisions.push({ pair, name })
    if (name === undefined) continue
    tools.push([name, tool])
    byToolkit.get(pair.server)?.push(name)
  }
  return { tools: Object.fromEntries(tools), byToolkit, collisions }
}

function shownTools(usable: UsableToolkit, style: ToolStyle): readonly ShownTool[] {
  const { toolkit, bridge } = usable
  const { profile } = style
  const live = liveTools(usable, profile)
  const { tools } = bridge?.toolsFor(profile) ?? knownTools(toolkit, style).compile(profile)
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

/** Tools that came with the toolkit, before its server is asked. */
function knownTools({ name, tools = [] }: BoundToolkit, { naming, checks }: ToolStyle): ToolCompiler {
  const tell = (): void => {}
  const catalog = new Catalog(tell, naming)
  catalog.show([{ name, tools }])
  return new ToolCompiler(catalog, tell, checks)
}

interface LiveTools {
  /** A tool as its server describes it now. Throws when it has none of that name any more. */
  find(bridge: Bridge, rawName: string): AiTool
  /** What a model reads of a result. */
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
    // Before the first call there is only what a stored conversation says, which is shown as it was kept.
    modelOutput: (options) =>
      latest?.toModelOutput?.(options) ?? { type: 'text', value: JSON.stringify(options.output) ?? '' },
  }

  function toolOf(bridge: Bridge, { name }: BridgeTool): AiTool | undefined {
    return Object.values(aiSdkTools(bridge, { ...callOptions, profile, only: [name] }))[0]
  }
}

function goneTool(toolkit: string, tool: string): McpError {
  const message = `toolkit "${toolkit}" does not offer the tool "${tool}" any more`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}
