/** A value of a document with its place in the text: one tree for all formats. */
export interface DocumentNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null'
  readonly value?: string | number | boolean | null
  /** Where its text begins, and how much of it there is. */
  readonly offset: number
  readonly length: number
  /** Items of an array, properties of an object; of a property its key and its value. */
  readonly children?: readonly DocumentNode[]
}

/** Where a text breaks off being what it should be. */
export interface SyntaxProblem {
  readonly offset: number
  readonly problem: string
}

/** Keys and indices from the root of a document. */
export type DocumentPath = readonly (string | number)[]
