export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  readonly priority?: number
  readonly lastModified?: string
}

interface BlockCommons {
  readonly annotations?: Annotations
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface TextContent extends BlockCommons {
  readonly type: 'text'
  readonly text: string
}

export interface ImageContent extends BlockCommons {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

export interface AudioContent extends BlockCommons {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink extends BlockCommons {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

export interface EmbeddedResource extends BlockCommons {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }
}

/** A block of a result. Servers may send types that are not listed here: read `type` before trusting the rest. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
