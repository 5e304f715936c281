import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool'
import type {
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { CallToolResult, GetPromptResult } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import { mediaPlaceholder, type ResultPart, resultParts, textBy } from '@toolbridge/client/internal'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

/** The tools of a bridge for the Messages API. */
export interface AnthropicTools {
  readonly tools: Tool[]
  /** For `client.beta.messages.toolRunner`, which calls the tools itself. */
  readonly runnable: BetaRunnableTool<unknown>[]
  /** Runs the tool calls of a message in parallel. Resolves with the message to append; undefined if there are none. */
  readonly answer: (
    message: Pick<Message, 'content'>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<(MessageParam & { content: ToolResultBlockParam[] }) | undefined>
}

/** Returns the current tools of the bridge for `client.messages.create`. */
export function anthropicTools(bridge: Bridge, options: ModelToolsOptions = {}): AnthropicTools {
  const surface = modelSurface(bridge, 'anthropic', options)
  return {
    tools: surface.tools.map(anthropicTool),
    runnable: surface.tools.map((tool) => runnable(surface, tool, bridge)),
    answer: async ({ content }, { signal } = {}) => {
      const results = await Promise.all(
        content.flatMap((block) =>
          block.type === 'tool_use'
            ? [
                surface
                  .answer(block.name, block.input, { signal })
                  .then((result) => resultBlock(block.id, result, bridge)),
              ]
            : [],
        ),
      )
      return results.length === 0 ? undefined : { role: 'user', content: results }
    },
  }
}

/** Converts the messages of a prompt for the Messages API. */
export function anthropicMessages({ messages }: GetPromptResult): MessageParam[] {
  return messages.map(({ role, content }) => ({
    role,
    content: resultParts({ content: [content] }).map(contentBlock),
  }))
}

function anthropicTool({ name, description, parameters }: SurfaceTool): Tool {
  return { name, description, input_schema: { ...parameters, type: 'object' } }
}

function runnable(surface: ModelSurface, tool: SurfaceTool, bridge: Bridge): BetaRunnableTool<unknown> {
  return {
    ...anthropicTool(tool),
    type: 'custom',
    parse: (input) => input,
    run: async (input, context) => {
      const result = await surface.answer(tool.name, input, { signal: context?.signal })
      const content = contentOf(result, bridge)
      if (isFlagged(result, content))
        throw await toolError(content, textBy(bridge.results.policyOf(result), result))
      return content
    },
  }
}

/** The error that reports a failure to the tool runner of the SDK, as blocks; older versions accept only text. */
async function toolError(content: Block[], text: string): Promise<Error> {
  try {
    const { ToolError } = await import('@anthropic-ai/sdk/lib/tools/ToolError')
    return new ToolError(content)
  } catch {
    return new Error(text)
  }
}

function resultBlock(id: string, result: CallToolResult, bridge: Bridge): ToolResultBlockParam {
  const content = contentOf(result, bridge)
  return {
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...(isFlagged(result, content) ? { is_error: true } : {}),
  }
}

/** The API accepts only text with `is_error`; a failure with media says so in its text. */
function isFlagged({ isError }: CallToolResult, content: readonly Block[]): boolean {
  return isError === true && content.every(({ type }) => type === 'text')
}

type Block = TextBlockParam | ImageBlockParam | DocumentBlockParam

function contentOf(result: CallToolResult, { results }: Bridge): Block[] {
  // The API rejects empty text blocks.
  const content = resultParts(result, results.policyOf(result))
    .filter((part) => part.type === 'media' || part.text !== '')
    .map(contentBlock)
  const isUnsaid = result.isError === true && !isFlagged(result, content)
  return isUnsaid ? [{ type: 'text', text: 'Tool error:' }, ...content] : content
}

function contentBlock(part: ResultPart): Block {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { data, mimeType } = part
  if (mimeType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mimeType, data } }
  if (isTakenImage(mimeType)) return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
  return { type: 'text', text: mediaPlaceholder(part) }
}

const takenImages = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

function isTakenImage(mimeType: string): mimeType is (typeof takenImages)[number] {
  return takenImages.some((taken) => taken === mimeType)
}
