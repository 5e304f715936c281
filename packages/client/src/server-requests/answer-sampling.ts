import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { SamplingContent, SamplingRequest, SamplingResult } from '../model/sampling.ts'
import type { SamplingHandler } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { unpairedToolUses } from './sampling-pairs.ts'

/** Parses `sampling/createMessage`, calls the handler, and fits the result to what the server can read. */
export async function answerSampling(
  params: unknown,
  context: IncomingRequestContext,
  host: { readonly onSampling: SamplingHandler; readonly samplingTools: boolean },
): Promise<SamplingResult> {
  const request = parseRequest(params, host.samplingTools)
  return fitResult(await host.onSampling(request, context), request)
}

function parseRequest(params: unknown, offersTools: boolean): SamplingRequest {
  const given = isJsonObject(params) ? params : {}
  const { messages, maxTokens } = given
  const issues = [
    ...(typeof maxTokens === 'number' ? [] : ['maxTokens is not a number']),
    ...(Array.isArray(messages) ? messages.flatMap(messageIssues) : ['messages is not a list']),
    ...(offersTools ? [] : undeclaredIn(given)),
  ]
  if (issues.length === 0) issues.push(...unpairedToolUses(messages as SamplingRequest['messages']))
  if (issues.length > 0) throw invalidParams(`invalid sampling request: ${issues.join('; ')}`)
  return given as unknown as SamplingRequest
}

function messageIssues(message: unknown, index: number): readonly string[] {
  const { role, content } = isJsonObject(message) ? message : {}
  const blocks = Array.isArray(content) ? content : [content]
  return [
    ...(role === 'user' || role === 'assistant'
      ? []
      : [`messages[${index}].role is neither user nor assistant`]),
    ...(blocks.every(isBlock) ? [] : [`messages[${index}].content has a block without a type`]),
  ]
}

function isBlock(block: unknown): boolean {
  return isJsonObject(block) && typeof block['type'] === 'string'
}

function undeclaredIn(given: JsonObject): readonly string[] {
  return ['tools', 'toolChoice']
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name} was sent, but this client does not declare sampling.tools`)
}

/** Servers that sent no tools expect a single block; lists exist since 2025-11-25. */
function fitResult(result: SamplingResult, request: SamplingRequest): SamplingResult {
  if (request.tools !== undefined || !isList(result.content)) return result
  return { ...result, content: asOneBlock(result.content) }
}

function asOneBlock(blocks: readonly SamplingContent[]): SamplingContent {
  const [first] = blocks
  if (first !== undefined && blocks.length === 1) return first
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  if (texts.length === blocks.length) return { type: 'text', text: texts.join('\n') }
  throw new McpError('the model answered with several blocks where the server can take one', {
    kind: 'unsupported',
    code: McpErrorCode.InternalError,
  })
}

function isList(content: SamplingResult['content']): content is readonly SamplingContent[] {
  return Array.isArray(content)
}

function invalidParams(message: string): McpError {
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}
