import type { CallToolResult, ContentBlock } from '@toolbridge/client'

/** A result as text: one line per block, placeholders for media, and `structuredContent` when there is no block. */
export function toText(result: CallToolResult): string {
  if (result.content.length > 0) return result.content.map(blockToText).join('\n')
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent)
}

/** One block as text; a placeholder where text cannot say it. */
export function blockToText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}]`
    case 'resource_link':
      return `[resource ${block.uri}]`
    case 'resource':
      return block.resource.text ?? `[resource ${block.resource.uri}]`
    default:
      return JSON.stringify(block)
  }
}
