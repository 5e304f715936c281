/** Where a server definition was written, so that every message can point at it. */
export interface SpecSource {
  /** The file's path, or a word for what is not a file: `stored settings`, `code`, `execution context`. */
  readonly file: string
  /** JSON pointer of the entry inside that document. */
  readonly pointer: string
}

interface ServerSpecCommons {
  readonly name: string
  readonly enabled: boolean
  /** A required server that fails to start fails the whole bridge. */
  readonly required: boolean
  readonly source: SpecSource
}

export interface StdioServerSpec extends ServerSpecCommons {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface HttpServerSpec extends ServerSpecCommons {
  readonly transport: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A server as its author wrote it: variables are still references. `resolveSpec` makes it startable. */
export type ServerSpec = StdioServerSpec | HttpServerSpec

declare const resolved: unique symbol

/** A spec whose variables were replaced: it holds secrets in clear, lives for one start and is never stored or logged. */
export type ResolvedSpec = ServerSpec & { readonly [resolved]: true }

/**
 * What a definition may draw on. `local`: the person at this machine, who may use its environment and files.
 * `session`: a platform's user, whose definitions may use neither.
 */
export type Authority =
  | {
      readonly kind: 'local'
      readonly env: Readonly<Record<string, string | undefined>>
      readonly workspaceFolder: string
    }
  | { readonly kind: 'session' }
