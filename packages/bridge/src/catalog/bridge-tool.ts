import type { Tool } from '@toolbridge/client'

/** A tool of a bridge. */
export interface BridgeTool {
  /** Public name, unique in the bridge. With the default naming at most 64 characters of `[A-Za-z0-9_]`. */
  readonly name: string
  /** Name of the server. */
  readonly server: string
  /** Raw name: the server's name for the tool. */
  readonly rawName: string
  /** `mcp://server/tool`, independent of the naming policy. */
  readonly uri: string
  /**
   * The names of the tool without a hash, in this naming and the default one. Restricting permission rules match them
   * too.
   */
  readonly plainNames: readonly string[]
  /** The definition that the server sent, without secrets of the server definition in its texts. Untrusted text. */
  readonly definition: Tool
}
