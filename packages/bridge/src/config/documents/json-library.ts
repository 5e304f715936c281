import type * as Jsonc from 'jsonc-parser'
import { lazyLibrary } from '../../lazy-library.ts'

/** The parser of JSON with comments, loaded at the first call. */
export const jsonc: () => typeof Jsonc = lazyLibrary('jsonc-parser')
