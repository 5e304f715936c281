import type { ContentBlock } from './model/content.ts'
import type { CallToolResult } from './model/tool.ts'

/** A part of a result for a model. */
export type ResultPart = { readonly type: 'text'; readonly text: string } | MediaPart

/** An image, audio or a file in base64. */
export interface MediaPart {
  readonly type: 'media'
  readonly kind: 'image' | 'audio' | 'file'
  readonly data: string
  readonly mimeType: string
}

/** How the blocks of a result become text or parts. */
export interface TextPolicy {
  /** How texts are joined. Default: `newline`. */
  readonly text: 'newline' | 'concat'
  /** How blocks of unknown types are shown. Default: `json`. */
  readonly unknown: 'json' | 'drop'
  /**
   * How images, audio and files are shown: as parts, as JSON, or as placeholders. `json` applies to every block that is
   * not text, resources included. Default: `parts`; in a text, which has no parts, `placeholder`.
   */
  readonly media: 'parts' | 'json' | 'placeholder'
  /**
   * When structured content becomes text: if there is no other content (`fallback`), or `always`. `validate`: like
   * `fallback`, and a bridge turns a result that does not match the output schema into an error. Default: `fallback`.
   */
  readonly structured: 'fallback' | 'always' | 'validate'
}

/** How the blocks of a result become parts. */
export interface PartPolicy extends TextPolicy {
  /** Whether files inside of results are media, or only named by their URI. Default: `media`. */
  readonly files?: 'media' | 'name'
}

/** The defaults of `TextPolicy`. */
export const defaultTextPolicy: TextPolicy = {
  text: 'newline',
  unknown: 'json',
  media: 'parts',
  structured: 'fallback',
}

/** Converts a result to text: one line per block, placeholders for media, `structuredContent` if there are no blocks. */
export function toText(result: CallToolResult): string {
  return textBy(defaultTextPolicy, result)
}

/** Converts a result to text by a policy. */
export function textBy(policy: TextPolicy, result: CallToolResult): string {
  const media = policy.media === 'parts' ? 'placeholder' : policy.media
  return resultParts(result, { ...policy, media })
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(separator(policy))
}

const failureMark = 'Tool error:'

/** The text of a failure, for models without an error flag. */
export function failureText(text: string): string {
  return `${failureMark} ${text || 'the tool failed'}`
}

/** Converts a result to text by a policy; failures start with `Tool error:`. */
export function markedTextBy(policy: TextPolicy, result: CallToolResult): string {
  const whole = textBy(policy, result)
  return result.isError === true ? failureText(whole) : whole
}

/** Converts a result to parts by a policy; failures start with `Tool error:`. */
export function markedPartsBy(policy: PartPolicy, result: CallToolResult): readonly ResultPart[] {
  const parts = resultParts(result, policy)
  return result.isError === true ? [text(failureMark), ...parts] : parts
}

/** Converts a result to parts; consecutive texts are joined. */
export function resultParts(
  result: CallToolResult,
  policy: PartPolicy = defaultTextPolicy,
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

function blockParts(block: ContentBlock, policy: PartPolicy): readonly ResultPart[] {
  switch (block.type) {
    case 'text':
      return [text(block.text)]
    case 'image':
    case 'audio':
      return [media(block, block.type, block.data, block.mimeType, policy)]
    case 'resource_link':
      return [policy.media === 'json' ? json(block) : text(`[resource ${block.uri}]`)]
    case 'resource': {
      if (policy.media === 'json') return [json(block)]
      const { text: inside, blob, mimeType = 'application/octet-stream', uri } = block.resource
      if (inside !== undefined) return [text(inside)]
      const kind = policy.files === 'name' ? undefined : kindOf(mimeType)
      return blob === undefined || kind === undefined || policy.media === 'placeholder'
        ? [text(`[resource ${uri}]`)]
        : [media(block, kind, blob, mimeType, policy)]
    }
    default:
      return policy.unknown === 'drop' ? [] : [json(block)]
  }
}

/** The media kinds that models accept; other files are only named. */
function kindOf(mimeType: string): MediaPart['kind'] | undefined {
  if (mimeType.startsWith('image/')) return 'image'
  if (mimeType.startsWith('audio/')) return 'audio'
  return mimeType === 'application/pdf' ? 'file' : undefined
}

function media(
  block: ContentBlock,
  kind: MediaPart['kind'],
  data: string,
  mimeType: string,
  policy: TextPolicy,
): ResultPart {
  if (policy.media === 'json') return json(block)
  const part: MediaPart = { type: 'media', kind, data, mimeType }
  return policy.media === 'parts' ? part : text(mediaPlaceholder(part))
}

/** The text in place of media that a model does not accept. */
export function mediaPlaceholder({ kind, mimeType }: MediaPart): string {
  return `[${kind} ${mimeType}]`
}

function json(block: ContentBlock): ResultPart {
  return text(JSON.stringify(block))
}

function text(value: string): ResultPart {
  return { type: 'text', text: value }
}
