/** A folder or file that the server may work in. Advice to the server, not access control. */
export interface Root {
  /** A `file://` address. */
  readonly uri: string
  readonly name?: string
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The roots, or how to find them out at the moment the server asks. */
export type Roots = readonly Root[] | (() => readonly Root[] | Promise<readonly Root[]>)
