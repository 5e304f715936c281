import type { CallToolResult } from '@toolbridge/client'
import { isTooDeep, markedPartsBy, markedTextBy, type ResultPart } from '@toolbridge/client/internal'
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

/** A result as text, by its policy; failures start with "Tool error:", for providers without an error flag. */
export function markedText(result: CallToolResult, bridge: Bridge): string {
  return markedTextBy(bridge.results.policyOf(result), result)
}

/** A result as parts, by its policy; failures start with "Tool error:". */
export function markedParts(result: CallToolResult, bridge: Bridge): readonly ResultPart[] {
  return markedPartsBy(bridge.results.policyOf(result), result)
}
