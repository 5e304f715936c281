import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns a function that loads a library at its first call. Synchronous, and most programs need few of them. */
export function lazyLibrary<Library extends object>(name: string): () => Library {
  let loaded: Library | undefined
  return () => (loaded ??= load(name))
}

function load<Library extends object>(name: string): Library {
  const library: Library = require(name)
  return library
}
