import type { CallToolResult } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import { type ResultPart, resultParts, textBy } from '../results/result-parts.ts'

/** The arguments that a model wrote as JSON; the text itself where it is none, which no tool takes. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A result as one text; a failure says so, for providers that have no word for it. */
export function markedText(result: CallToolResult, bridge: Bridge): string {
  const text = textBy(bridge.results.policyOf(result), result)
  return result.isError === true ? `Tool error: ${text || 'the tool failed'}` : text
}

/** A result in parts; a failure says so at the beginning. */
export function markedParts(result: CallToolResult, bridge: Bridge): readonly ResultPart[] {
  const parts = resultParts(result, bridge.results.policyOf(result))
  return result.isError === true ? [{ type: 'text', text: 'Tool error:' }, ...parts] : parts
}

/** The word that stands for media which a provider does not take. */
export function placeholder({ kind, mimeType }: ResultPart & { readonly type: 'media' }): string {
  return `[${kind} ${mimeType}]`
}
