/** Hints for the use of a block or resource. */
export interface Annotations {
  /** Intended readers. */
  readonly audience?: readonly ('user' | 'assistant')[]
  /** Importance, from 0 (optional) to 1 (required). */
  readonly priority?: number
  /** Time of the last change, in ISO 8601. */
  readonly lastModified?: string
}

interface BlockCommons {
  readonly annotations?: Annotations
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A block of text. */
export interface TextContent extends BlockCommons {
  readonly type: 'text'
  readonly text: string
}

/** An image in base64. */
export interface ImageContent extends BlockCommons {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

/** Audio in base64. */
export interface AudioContent extends BlockCommons {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

/** A link to a resource that the server can read. */
export interface ResourceLink extends BlockCommons {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

/** A resource with its contents. */
export interface EmbeddedResource extends BlockCommons {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }
}

/** A block of a result. Servers may send other types: check `type` first. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
