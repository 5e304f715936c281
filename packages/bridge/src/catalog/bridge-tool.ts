import type { Tool } from '@toolbridge/client'

/** A tool as callers see it. */
export interface BridgeTool {
  /** Public name, unique in its bridge; unless told, at most 64 characters of `[A-Za-z0-9_]`. Never taken apart again. */
  readonly name: string
  readonly server: string
  /** The server's own name for the tool. */
  readonly rawName: string
  /** Second identity, `mcp://server/tool`, which does not depend on how public names are made. */
  readonly uri: string
  /**
   * What the tool would be called without a hash, in this bridge and in one with the usual names. Rules that narrow hold
   * for these too.
   */
  readonly plainNames: readonly string[]
  readonly definition: Tool
}
