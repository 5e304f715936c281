import type { Annotations } from './content.ts'

/** A resource that a server lists. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Size in bytes, before any encoding. */
  readonly size?: number
  readonly annotations?: Annotations
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A template (RFC 6570) for the URIs of resources. */
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
  /** May differ from the requested URI: a folder can return its files. */
  readonly uri: string
  readonly mimeType?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Contents of a text resource. */
export interface TextResourceContents extends ContentsCommons {
  readonly text: string
}

/** Contents of a binary resource. */
export interface BlobResourceContents extends ContentsCommons {
  /** The bytes in base64. */
  readonly blob: string
}

/** Contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** Result of `resources/read`. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: Readonly<Record<string, unknown>>
}
