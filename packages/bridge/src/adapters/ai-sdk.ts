import { type CallToolResult, type GetPromptResult, toText } from '@toolbridge/client'
import { dynamicTool, type JSONValue, jsonSchema, type ModelMessage, type Tool, type ToolSet } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import { isJsonObject, type ResultPart, resultParts, textBy } from '@toolbridge/client/internal'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

/** Options of `aiSdkTools`. */
export interface AiSdkToolOptions extends ModelToolsOptions {
  /** The provider profile that schemas are lowered for. Default: `generic`. */
  readonly profile?: ProfileName
}

/**
 * Returns the current tools of the bridge for the AI SDK. A failure reported by a tool is returned to the model as an
 * error; a denial or a lost server is thrown, which the SDK converts to the same.
 *
 * @example
 * ```ts
 * import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
 *
 * const tools = aiSdkTools(bridge, { only: ['hello__hello'] }) // for generateText({ model, tools, prompt })
 * console.log(Object.keys(tools)) // [ 'hello__hello' ]
 * ```
 */
export function aiSdkTools(bridge: Bridge, options: AiSdkToolOptions = {}): ToolSet {
  const { profile = 'generic', ...rest } = options
  const surface = modelSurface(bridge, profile, rest)
  const show = modelOutput(bridge)
  return Object.fromEntries(surface.tools.map((tool) => [tool.name, aiSdkTool(surface, tool, show)]))
}

/** Converts the messages of a prompt for the AI SDK. */
export function aiSdkMessages({ messages }: GetPromptResult): ModelMessage[] {
  return messages.map(({ role, content }): ModelMessage => {
    const parts = resultParts({ content: [content] })
    if (role === 'assistant') return { role, content: toText({ content: [content] }) }
    return { role, content: parts.map(promptPart) }
  })
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

function aiSdkTool(
  surface: ModelSurface,
  { name, description, parameters, definition }: SurfaceTool,
  show: (output: unknown) => ModelOutput,
): Tool {
  return dynamicTool({
    ...(definition?.title === undefined ? {} : { title: definition.title }),
    description,
    inputSchema: jsonSchema(parameters),
    execute: (input, { abortSignal }) => surface.call(name, input, { signal: abortSignal }),
    toModelOutput: ({ output }) => show(output),
  })
}

/** Converts an output for the model. Validates it first: it may come from a stored conversation. */
function modelOutput({ results }: Bridge): (output: unknown) => ModelOutput {
  return (output) => {
    if (!isToolResult(output)) return { type: 'json', value: (output ?? null) as JSONValue }
    const policy = results.policyOf(output)
    const parts = resultParts(output, policy)
    const hasMedia = parts.some(({ type }) => type === 'media')
    const text = textBy(policy, output)
    if (!hasMedia && output.isError === true) return { type: 'error-text', value: text || 'the tool failed' }
    if (!hasMedia) return { type: 'text', value: text }
    const failure = output.isError === true ? [{ type: 'text' as const, text: 'Tool error:' }] : []
    return { type: 'content', value: [...failure, ...parts.map(modelPart)] }
  }
}

type ModelPart = (ModelOutput & { type: 'content' })['value'][number]

function modelPart(part: ResultPart): ModelPart {
  if (part.type === 'text') return part
  const { kind, data, mimeType: mediaType } = part
  return kind === 'image' ? { type: 'image-data', data, mediaType } : { type: 'file-data', data, mediaType }
}

type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

function promptPart(part: ResultPart): UserPart {
  if (part.type === 'text') return part
  const { kind, data, mimeType: mediaType } = part
  return kind === 'image' ? { type: 'image', image: data, mediaType } : { type: 'file', data, mediaType }
}

function isToolResult(value: unknown): value is CallToolResult {
  return isJsonObject(value) && Array.isArray(value['content'])
}
