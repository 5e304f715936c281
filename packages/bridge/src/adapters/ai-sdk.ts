import type { CallToolResult, ContentBlock } from '@toolbridge/client'
import { dynamicTool, type JSONValue, jsonSchema, type Tool, type ToolSet } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/catalog.ts'
import { linkedSignal } from '../linked-signal.ts'
import { isRecord } from '../record.ts'
import { blockToText, toText } from '../results.ts'

export interface AiSdkToolOptions extends CallOptions {
  /** Public names of the tools to offer; all of them unless told. Throws a `RangeError` for a name that is not there. */
  readonly only?: readonly string[]
}

/**
 * The bridge's tools for the AI SDK, as they are at this moment. A failure that a tool reports is returned to the model
 * as an error it can read; a refusal or a lost server is thrown, which the SDK turns into the same.
 */
export function aiSdkTools(bridge: Bridge, options: AiSdkToolOptions = {}): ToolSet {
  const { only, ...callOptions } = options
  const tools = only === undefined ? bridge.tools : only.map((name) => existing(bridge, name))
  return Object.fromEntries(tools.map((tool) => [tool.name, aiSdkTool(bridge, tool, callOptions)]))
}

function existing(bridge: Bridge, name: string): BridgeTool {
  const tool = bridge.tool(name)
  if (tool === undefined) throw new RangeError(`there is no tool "${name}"`)
  return tool
}

function aiSdkTool(bridge: Bridge, { name, definition }: BridgeTool, options: CallOptions): Tool {
  const { title, description, inputSchema } = definition
  return dynamicTool({
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: jsonSchema(inputSchema),
    execute: async (input, { abortSignal }) => {
      using ended = linkedSignal(options.signal, abortSignal)
      return await bridge.call(name, isRecord(input) ? input : {}, { ...options, signal: ended.signal })
    },
    toModelOutput: ({ output }) => modelOutput(output),
  })
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

/** What the model reads. The output may come from a stored conversation, so it is looked at before it is trusted. */
function modelOutput(output: unknown): ModelOutput {
  if (!isToolResult(output)) return { type: 'json', value: (output ?? null) as JSONValue }
  if (output.isError === true) return { type: 'error-text', value: toText(output) || 'the tool failed' }
  if (!output.content.some(isMedia)) return { type: 'text', value: toText(output) }
  return { type: 'content', value: output.content.map(modelPart) }
}

type ModelPart = (ModelOutput & { type: 'content' })['value'][number]

function modelPart(block: ContentBlock): ModelPart {
  if (block.type === 'image') return { type: 'image-data', data: block.data, mediaType: block.mimeType }
  if (block.type === 'audio') return { type: 'file-data', data: block.data, mediaType: block.mimeType }
  return { type: 'text', text: blockToText(block) }
}

function isMedia(block: ContentBlock): boolean {
  return block.type === 'image' || block.type === 'audio'
}

function isToolResult(value: unknown): value is CallToolResult {
  return isRecord(value) && Array.isArray(value['content'])
}
