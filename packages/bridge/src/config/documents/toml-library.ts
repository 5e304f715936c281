import type * as Toml from 'toml-eslint-parser'
import { lazyLibrary } from '../../lazy-library.ts'

/** The parser of TOML, loaded at the first call. */
export const toml: () => typeof Toml = lazyLibrary('toml-eslint-parser')
