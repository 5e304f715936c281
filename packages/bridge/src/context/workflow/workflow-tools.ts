import { linkedSignal, type NamingPolicy, nameTools, type ToolPair } from '@toolbridge/client/internal'
import { type CallToolResult, McpError, McpErrorCode, type Tool } from '@toolbridge/client'
import * as sdk from 'ai'
import type { ToolSet } from 'ai'
import { modelOutput } from '../../adapters/ai-sdk-output.ts'
import { versionOf } from '../../adapters/ai-sdk-version.ts'
import { callModelTool } from '../../adapters/call-model-tool.ts'
import type { Bridge } from '../../bridge.ts'
import type { CallOptions } from '../../call.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { toolUri } from '../../catalog/tool-uri.ts'
import type { ProfileName } from '../../catalog/profiles/profile.ts'
import { type ModelTool, type ModelTools, ToolCompiler } from '../../catalog/tool-compiler.ts'
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
  /** For nodes that name none. */
  readonly profile: ProfileName
  readonly checks: SchemaChecks
}

/** The tools of a set to make. */
export interface ToolSelection {
  /** Default: that of the host. */
  readonly profile?: ProfileName | undefined
  /** Names in the set, or URIs. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** The tools of several toolkits in one set. */
export interface NamedTools extends Pick<Naming, 'collisions'> {
  readonly tools: ToolSet
  readonly byToolkit: ToolNamesByToolkit
}

export type ToolNamesByToolkit = ReadonlyMap<string, ToolNames>

/** The tools of a toolkit in a set: their names there, and the server's own, in the same order. */
export interface ToolNames {
  readonly names: readonly string[]
  readonly rawNames: readonly string[]
}

/** The names of the tools of several toolkits, which stay the same until a server lists other tools. */
interface Naming {
  readonly lists: readonly ToolkitList[]
  readonly tools: readonly NamedTool[]
  readonly byToolkit: ToolNamesByToolkit
  /** The tools by name and by URI. */
  readonly find: ReadonlyMap<string, NamedTool>
  /** Tools of different toolkits with the same name. */
  readonly collisions: readonly { readonly pair: ToolPair; readonly name: string | undefined }[]
}

/** The tools that a toolkit shows. */
interface ToolkitList {
  readonly server: string
  readonly shown: ModelTools
}

/** A tool of a set, without what belongs to one invocation. */
interface NamedTool {
  readonly name: string
  readonly rawName: string
  /** The index of its toolkit. */
  readonly toolkit: number
  readonly description: Pick<DynamicTool, 'title' | 'description' | 'inputSchema'>
}

type AiTool = ToolSet[string]

type DynamicTool = Parameters<typeof sdk.dynamicTool>[0]

/** The tools of toolkits for the AI SDK. They are named once until a list changes: a workflow finds the same ones most times. */
export class WorkflowTools {
  readonly #style: ToolStyle
  /** The latest naming of sets that begin with a list. */
  readonly #named = new WeakMap<ModelTools, Naming>()

  constructor(style: ToolStyle) {
    this.#style = style
  }

  /** Returns the tools in order. A call reopens the client if necessary and uses the current definition of the tool. */
  of(toolkits: readonly UsableToolkit[], { profile = this.#style.profile, only }: ToolSelection): NamedTools {
    const naming = this.#naming(toolkits, profile)
    const selected = only === undefined ? naming.tools : selectedFrom(naming, only)
    const byToolkit = only === undefined ? naming.byToolkit : namesByToolkit(naming.lists, selected)
    const makers = toolkits.map((toolkit) => toolMaker(toolkit, profile))
    const made = selected.map((tool) => [tool.name, makers[tool.toolkit]?.(tool)])
    return { tools: Object.fromEntries(made) as ToolSet, byToolkit, collisions: naming.collisions }
  }

  #naming(toolkits: readonly UsableToolkit[], profile: ProfileName): Naming {
    const lists = toolkits.map((usable) => ({
      server: usable.toolkit.name,
      shown: usable.bridge?.toolsFor(profile) ?? this.#knownTools(usable).compile(profile),
    }))
    const [first] = lists
    const latest = first && this.#named.get(first.shown)
    if (latest !== undefined && isOf(latest, lists)) return latest
    const naming = nameLists(lists, this.#style.naming)
    if (first !== undefined) this.#named.set(first.shown, naming)
    return naming
  }

  /** The known tools of a toolkit, lowered without starting its server. */
  #knownTools({ toolkit: { name }, tools = [] }: UsableToolkit): ToolCompiler {
    const tell = (): void => {}
    const catalog = new Catalog(tell, this.#style.naming)
    catalog.show([{ name, tools }])
    return new ToolCompiler(catalog, tell, this.#style.checks)
  }
}

function isOf({ lists }: Naming, wanted: readonly ToolkitList[]): boolean {
  return (
    lists.length === wanted.length &&
    lists.every(({ server, shown }, index) => {
      const other = wanted[index]
      return server === other?.server && shown === other.shown
    })
  )
}

function nameLists(lists: readonly ToolkitList[], policy: NamingPolicy): Naming {
  const all = lists.flatMap(({ server, shown }, toolkit) =>
    shown.tools.map((model) => ({ pair: { server, tool: model.tool.rawName }, model, toolkit })),
  )
  const unique = nameTools(
    all.map(({ pair }) => pair),
    policy,
  )
  const tools: NamedTool[] = []
  const collisions: { readonly pair: ToolPair; readonly name: string | undefined }[] = []
  for (const [index, { pair, model, toolkit }] of all.entries()) {
    const { name: other, hasCollided } = unique[index] ?? { name: undefined, hasCollided: false }
    const name = hasCollided ? other : model.name
    if (hasCollided) collisions.push({ pair, name })
    if (name !== undefined)
      tools.push({ name, rawName: pair.tool, toolkit, description: descriptionOf(model) })
  }
  return {
    lists,
    tools,
    byToolkit: namesByToolkit(lists, tools),
    find: byNameAndUri(lists, tools),
    collisions,
  }
}

function namesByToolkit(lists: readonly ToolkitList[], tools: readonly NamedTool[]): ToolNamesByToolkit {
  const namesOf = (index: number): ToolNames => {
    const own = tools.filter(({ toolkit }) => toolkit === index)
    return { names: own.map(({ name }) => name), rawNames: own.map(({ rawName }) => rawName) }
  }
  return new Map(lists.map(({ server }, index) => [server, namesOf(index)]))
}

function byNameAndUri(lists: readonly ToolkitList[], tools: readonly NamedTool[]): Naming['find'] {
  const uriOf = ({ toolkit, rawName }: NamedTool): string => toolUri(lists[toolkit]?.server ?? '', rawName)
  return new Map([
    ...tools.map((tool) => [uriOf(tool), tool] as const),
    ...tools.map((tool) => [tool.name, tool] as const),
  ])
}

function selectedFrom({ find }: Naming, only: readonly string[]): readonly NamedTool[] {
  return [...new Set(only.flatMap((wanted) => find.get(wanted) ?? []))]
}

function descriptionOf({
  description,
  parameters,
  tool: { definition },
}: ModelTool): NamedTool['description'] {
  return {
    ...(definition.title === undefined ? {} : { title: definition.title }),
    description,
    inputSchema: sdk.jsonSchema(parameters),
  }
}

/** Makes the tools of a toolkit for one invocation. */
function toolMaker(usable: UsableToolkit, profile: ProfileName): (tool: NamedTool) => AiTool {
  let latest: Bridge | undefined
  // Before the first call there are only results of a stored conversation, which are shown as stored.
  const toModelOutput: NonNullable<DynamicTool['toModelOutput']> = ({ output }) =>
    latest === undefined
      ? { type: 'text', value: JSON.stringify(output) ?? '' }
      : modelOutput(latest, versionOf(sdk))(output)
  return ({ rawName, description }) =>
    sdk.dynamicTool({
      ...description,
      execute: (input, { abortSignal }) =>
        usable.use(abortSignal, (client) => {
          latest = client
          return callCurrent(client, { usable, profile, rawName, input, signal: abortSignal })
        }),
      toModelOutput,
    })
}

interface WorkflowCall {
  readonly usable: UsableToolkit
  readonly profile: ProfileName
  readonly rawName: string
  readonly input: unknown
  readonly signal: AbortSignal | undefined
}

/** Calls the current tool of the server. Rejects if it no longer exists. */
async function callCurrent(
  client: Bridge,
  { usable: { toolkit, callOptions }, profile, rawName, input, signal }: WorkflowCall,
): Promise<CallToolResult> {
  const model = client.toolsFor(profile).tools.find(({ tool }) => tool.rawName === rawName)
  if (model === undefined) throw goneTool(toolkit.name, rawName)
  // The signal of the invocation is often that of the call: then it needs no other.
  if (signal === undefined || signal === callOptions.signal)
    return callModelTool(client, model, input, callOptions)
  using ended = linkedSignal(callOptions.signal, signal)
  return await callModelTool(client, model, input, { ...callOptions, signal: ended.signal })
}

function goneTool(toolkit: string, tool: string): McpError {
  const message = `toolkit "${toolkit}" no longer has the tool "${tool}"`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}
