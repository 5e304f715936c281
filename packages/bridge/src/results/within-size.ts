import type { CallToolResult, ContentBlock, ResourceLink } from '@toolbridge/client'
import { resultParts, textBy } from '@toolbridge/client/internal'
import type { ResultPolicy } from './result-policy.ts'
import { boundary, type StoredResult, type ResultStore } from './result-store.ts'

export interface SizeOptions {
  readonly policy: ResultPolicy
  readonly store: ResultStore
  /** Public name of the tool that was called. */
  readonly tool: string
  readonly principal: string
}

/** Stores the parts of a result that exceed the limits and replaces them by excerpts with a URI. */
export function withinSize(result: CallToolResult, options: SizeOptions): CallToolResult {
  const { maxCharacters, maxMediaCharacters } = options.policy
  const sized = Number.isFinite(maxMediaCharacters) ? withSmallMedia(result, options) : result
  if (!Number.isFinite(maxCharacters)) return sized
  const structured = structuredLength(sized)
  const shown = resultParts(sized, { ...options.policy, media: 'parts' })
  const characters = shown.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  if (characters <= maxCharacters && structured <= maxCharacters) return sized
  const { structuredContent, content, ...rest } = sized
  const small = structured <= maxCharacters ? { structuredContent } : {}
  return {
    ...rest,
    ...(structuredContent === undefined ? {} : small),
    content: [
      ...(characters > maxCharacters
        ? excerptBlocks(textOf(sized, options), options)
        : content.filter(isText)),
      ...(structured > maxCharacters && content.length > 0
        ? [keptStructure(structuredContent, options)]
        : []),
      ...content.filter((block) => !isText(block)),
    ],
  }
}

function isText(block: ContentBlock): boolean {
  return resultParts({ content: [block] }).every((part) => part.type === 'text')
}

function structuredLength({ structuredContent }: CallToolResult): number {
  return structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length
}

function textOf(result: CallToolResult, { policy }: SizeOptions): string {
  return textBy(policy, { ...result, content: result.content.filter(isText) })
}

/** The start and end of a text with the URI of the whole text between them, and a resource link. */
function excerptBlocks(text: string, options: SizeOptions): readonly ContentBlock[] {
  const { policy, store, tool, principal } = options
  const kept = store.keep(text, 'text/plain', principal)
  const room = policy.maxCharacters - 400
  const head = boundary(text, Math.floor(room * 0.75))
  const tail = boundary(text, text.length - Math.floor(room * 0.25))
  const notice = `[… ${tail - head} of ${text.length} characters are left out here. ${wayToTheRest(kept, head)} …]`
  const excerpt = `${text.slice(0, head)}\n\n${notice}\n\n${text.slice(tail)}`
  return [{ type: 'text', text: excerpt }, ...(kept === undefined ? [] : [linkTo(kept, tool, 'text/plain')])]
}

function wayToTheRest(kept: StoredResult | undefined, from: number): string {
  if (kept === undefined) return 'They are too many to be kept: ask for less'
  return `The whole is kept as ${kept.uri} (SHA-256 ${kept.digest}); read on from character ${from}`
}

function linkTo(
  { uri, totalCharacters }: StoredResult,
  tool: string,
  mimeType: string,
): ResourceLink & { size: number } {
  return { type: 'resource_link', uri, name: `result of ${tool}`, mimeType, size: totalCharacters }
}

function keptStructure(structure: unknown, { store, tool, principal }: SizeOptions): ContentBlock {
  const kept = store.keep(JSON.stringify(structure), 'application/json', principal)
  return kept === undefined
    ? { type: 'text', text: '[the structured content is too large to be kept]' }
    : linkTo(kept, tool, 'application/json')
}

function withSmallMedia(result: CallToolResult, options: SizeOptions): CallToolResult {
  const { policy, store, tool, principal } = options
  const content = result.content.flatMap((block): readonly ContentBlock[] => {
    const { data, mimeType, kind } = mediaOf(block)
    if (data.length <= policy.maxMediaCharacters) return [block]
    const kept = store.keep(data, mimeType, principal)
    const where = kept === undefined ? 'is too large to be kept' : `is kept as ${kept.uri}, in base64`
    const text = `[${kind} ${mimeType} of ${data.length} characters ${where}]`
    return [{ type: 'text', text }, ...(kept === undefined ? [] : [linkTo(kept, tool, mimeType)])]
  })
  return { ...result, content }
}

function mediaOf(block: ContentBlock): {
  readonly data: string
  readonly mimeType: string
  readonly kind: string
} {
  if (block.type === 'image' || block.type === 'audio')
    return { data: block.data, mimeType: block.mimeType, kind: block.type }
  if (block.type !== 'resource' || block.resource.blob === undefined)
    return { data: '', mimeType: '', kind: '' }
  const { blob, mimeType = 'application/octet-stream' } = block.resource
  return { data: blob, mimeType, kind: 'file' }
}
