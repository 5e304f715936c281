import type { CallToolResult, ContentBlock } from '@toolbridge/client'
import { defaultResultPolicy, type ResultPolicy } from './result-policy.ts'

/** A part of a result for a model. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'media'
      readonly kind: 'image' | 'audio' | 'file'
      readonly data: string
      readonly mimeType: string
    }

type TextPolicy = Pick<ResultPolicy, 'text' | 'unknown' | 'media' | 'structured'>

/** Converts a result to text: one line per block, placeholders for media, `structuredContent` if there are no blocks. */
export function toText(result: CallToolResult): string {
  return textBy(defaultResultPolicy, result)
}

/** Converts a result to text by a policy. */
export function textBy(policy: TextPolicy, result: CallToolResult): string {
  const media = policy.media === 'parts' ? 'placeholder' : policy.media
  return resultParts(result, { ...policy, media })
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(separator(policy))
}

/** Converts a result to parts; consecutive texts are joined. */
export function resultParts(
  result: CallToolResult,
  policy: TextPolicy = defaultResultPolicy,
): readonly ResultPart[] {
  const { content, structuredContent } = result
  const parts = content.flatMap((block) => blockParts(block, policy))
  const isShown = structuredContent !== undefined && (content.length === 0 || policy.structured === 'always')
  const whole = isShown ? [...parts, text(JSON.stringify(structuredContent))] : parts
  return joined(whole, separator(policy))
}

function separator({ text: between }: TextPolicy): string {
  return between === 'newline' ? '\n' : ''
}

function joined(parts: readonly ResultPart[], between: string): readonly ResultPart[] {
  const whole: ResultPart[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      whole[whole.length - 1] = text(last.text + between + part.text)
    else whole.push(part)
  }
  return whole
}

function blockParts(block: ContentBlock, policy: TextPolicy): readonly ResultPart[] {
  switch (block.type) {
    case 'text':
      return [text(block.text)]
    case 'image':
    case 'audio':
      return [media(block, block.type, block.data, block.mimeType, policy)]
    case 'resource_link':
      return [text(`[resource ${block.uri}]`)]
    case 'resource': {
      const { text: inside, blob, mimeType = 'application/octet-stream', uri } = block.resource
      if (inside !== undefined) return [text(inside)]
      const kind = kindOf(mimeType)
      return blob === undefined || kind === undefined || policy.media === 'placeholder'
        ? [text(`[resource ${uri}]`)]
        : [media(block, kind, blob, mimeType, policy)]
    }
    default:
      return policy.unknown === 'drop' ? [] : [text(JSON.stringify(block))]
  }
}

/** The media kinds that models accept; other files are only named. */
function kindOf(mimeType: string): 'image' | 'audio' | 'file' | undefined {
  if (mimeType.startsWith('image/')) return 'image'
  if (mimeType.startsWith('audio/')) return 'audio'
  return mimeType === 'application/pdf' ? 'file' : undefined
}

function media(
  block: ContentBlock,
  kind: 'image' | 'audio' | 'file',
  data: string,
  mimeType: string,
  policy: TextPolicy,
): ResultPart {
  if (policy.media === 'json') return text(JSON.stringify(block))
  return policy.media === 'parts' ? { type: 'media', kind, data, mimeType } : text(`[${kind} ${mimeType}]`)
}

function text(value: string): ResultPart {
  return { type: 'text', text: value }
}
