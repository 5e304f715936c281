/** A value of a document with its position in the text, for all formats. */
export interface DocumentNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null'
  readonly value?: string | number | boolean | null
  /** Start and length of its text. */
  readonly offset: number
  readonly length: number
  /** Items of an array, properties of an object, or key and value of a property. */
  readonly children?: readonly DocumentNode[]
}

/** A syntax error and its offset. */
export interface SyntaxProblem {
  readonly offset: number
  readonly problem: string
}

/** Keys and indices from the root of a document. */
export type DocumentPath = readonly (string | number)[]
