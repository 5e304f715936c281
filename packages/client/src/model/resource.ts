import type { Annotations } from './content.ts'

/** Something a server lets its clients read. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Bytes of the content before any encoding. */
  readonly size?: number
  readonly annotations?: Annotations
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A family of resources whose URIs follow a template of RFC 6570. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly _meta?: Readonly<Record<string, unknown>>
}

interface ContentsCommons {
  /** May differ from the URI that was asked for: a folder answers with its files. */
  readonly uri: string
  readonly mimeType?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface TextResourceContents extends ContentsCommons {
  readonly text: string
}

export interface BlobResourceContents extends ContentsCommons {
  /** The bytes in base64. */
  readonly blob: string
}

export type ResourceContents = TextResourceContents | BlobResourceContents

export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: Readonly<Record<string, unknown>>
}
