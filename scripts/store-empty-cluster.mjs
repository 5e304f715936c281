// Stores an initialized database without tables in the lockbox, which unpacks it for a new lockbox. Initializing takes
// seconds, so it is done once per version of PGlite and of the code that does it.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { replaceFile } from './replace-file.mjs'

const compiled = new URL('../packages/lockbox/dist/database/', import.meta.url)

/** Does nothing if it is stored already. */
export async function storeEmptyCluster() {
  const { emptyClusterFile } = await import(new URL('empty-cluster.js', compiled).href)
  const [file, initializer] = [emptyClusterFile(), new URL('pglite.js', compiled)]
  if (existsSync(file) && statSync(file).mtimeMs >= statSync(initializer).mtimeMs) return
  const { initialize } = await import(initializer.href)
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-empty-cluster-'))
  try {
    await initialize(folder)
    removeStored(dirname(file))
    replaceFile(file, gzipSync(packed(folder), { level: 9 }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Also those of other versions of PGlite. */
function removeStored(folder) {
  const stored = readdirSync(folder).filter((name) => name.startsWith('empty-cluster-'))
  for (const name of stored) rmSync(join(folder, name))
}

/** A line with the entries, then the contents of all files. */
function packed(folder) {
  const paths = pathsBelow(folder)
  const contents = paths.map((path) =>
    path.endsWith('/') ? Buffer.alloc(0) : readFileSync(join(folder, path)),
  )
  const entries = paths.map((path, index) => [path, contents[index].length])
  return Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...contents])
}

/** Each folder, with a slash at the end, before what is in it. */
function pathsBelow(folder, below = '') {
  return readdirSync(join(folder, below))
    .toSorted()
    .flatMap((name) => {
      const path = `${below}${name}`
      const isFolder = statSync(join(folder, path)).isDirectory()
      return isFolder ? [`${path}/`, ...pathsBelow(folder, `${path}/`)] : [path]
    })
}
