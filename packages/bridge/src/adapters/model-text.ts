import type { CallToolResult } from '@toolbridge/client'
import { isTooDeep, type ResultPart, resultParts, textBy } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'

/** Parses the JSON arguments of a model; returns the text itself if invalid, which no tool accepts. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? text : value
  } catch {
    return text
  }
}

/** A result as text; failures start with "Tool error:", for providers without an error flag. */
export function markedText(result: CallToolResult, bridge: Bridge): string {
  const text = textBy(bridge.results.policyOf(result), result)
  return result.isError === true ? `Tool error: ${text || 'the tool failed'}` : text
}

/** A result as parts; failures start with "Tool error:". */
export function markedParts(result: CallToolResult, bridge: Bridge): readonly ResultPart[] {
  const parts = resultParts(result, bridge.results.policyOf(result))
  return result.isError === true ? [{ type: 'text', text: 'Tool error:' }, ...parts] : parts
}

/** Replaces media that a provider does not accept. */
export function placeholder({ kind, mimeType }: ResultPart & { readonly type: 'media' }): string {
  return `[${kind} ${mimeType}]`
}
