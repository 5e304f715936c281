import type { CallToolResult } from '@toolbridge/client'
import { isJsonObject, type ResultPart, textBy } from '@toolbridge/client/internal'
import type { JSONValue, Tool } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { AiSdkVersion } from './ai-sdk-version.ts'
import { markedParts } from './model-text.ts'

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>
type ModelPart = (ModelOutput & { type: 'content' })['value'][number]

/** Converts an output for the model. Validates it first: it may come from a stored conversation. */
export function modelOutput(bridge: Bridge, version: AiSdkVersion): (output: unknown) => ModelOutput {
  const toPart = version === 6 ? partForVersion6 : partForVersion7
  return (output) => {
    if (!isToolResult(output)) return { type: 'json', value: (output ?? null) as JSONValue }
    const parts = markedParts(output, bridge)
    if (parts.some(({ type }) => type === 'media')) return { type: 'content', value: parts.map(toPart) }
    const text = textBy(bridge.results.policyOf(output), output)
    if (output.isError === true) return { type: 'error-text', value: text || 'the tool failed' }
    return { type: 'text', value: text }
  }
}

function partForVersion6(part: ResultPart): ModelPart {
  if (part.type === 'text') return part
  const { kind, data, mimeType: mediaType } = part
  return { type: kind === 'image' ? 'image-data' : 'file-data', data, mediaType }
}

/** Version 7 warns of the parts of version 6, whose types do not have this one. */
function partForVersion7(part: ResultPart): ModelPart {
  if (part.type === 'text') return part
  const file: unknown = { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mimeType }
  return file as ModelPart
}

function isToolResult(value: unknown): value is CallToolResult {
  return isJsonObject(value) && Array.isArray(value['content'])
}
