/** A folder or file that the server may work in. Advice to the server, not access control. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The roots, or a function that returns them when the server asks. */
export type Roots = readonly Root[] | (() => readonly Root[] | Promise<readonly Root[]>)
