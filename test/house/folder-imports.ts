import { posix } from 'node:path'
import { readText, repositoryFiles } from './repository.ts'

/** An import between two files of a package; paths are relative to its `src`. */
export interface Import {
  readonly from: string
  readonly to: string
}

/** The imports between the source files of a package: static, dynamic, re-exported, type-only. */
export function importsIn(packageName: string): readonly Import[] {
  const src = `packages/${packageName}/src/`
  return repositoryFiles(/\.tsx?$/)
    .filter((file) => file.startsWith(src))
    .flatMap((file) => importsOf(file.slice(src.length), readText(file)))
}

function importsOf(from: string, text: string): readonly Import[] {
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"\n]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => ({
    from,
    to: posix.join(posix.dirname(from), match[1] ?? ''),
  }))
}

/**
 * The pairs of sibling folders that import each other, by the names of the folders, with the imports of the direction
 * that has fewer. Compares the folders of `src`, and with `levels: 2` also those inside each of them.
 */
export function folderCycles(
  imports: readonly Import[],
  { levels }: { readonly levels: 1 | 2 },
): Readonly<Record<string, readonly string[]>> {
  const between = new Map<string, string[]>()
  for (const { from, to } of imports)
    for (const depth of levels === 1 ? [1] : [1, 2]) {
      const [a, b] = [folderAt(from, depth), folderAt(to, depth)]
      if (a === undefined || b === undefined || a === b || parent(a) !== parent(b)) continue
      between.set(`${a} ${b}`, [...(between.get(`${a} ${b}`) ?? []), `${from} -> ${to}`])
    }
  return Object.fromEntries([...between].flatMap(([pair, there]) => cycle(pair, there, between)))
}

function cycle(
  pair: string,
  there: readonly string[],
  between: ReadonlyMap<string, readonly string[]>,
): readonly (readonly [string, readonly string[]])[] {
  const [a = '', b = ''] = pair.split(' ')
  const back = between.get(`${b} ${a}`)
  if (back === undefined || a > b) return []
  return [[`${a} <-> ${b}`, (there.length <= back.length ? there : back).toSorted()]]
}

/** The folder of a file at a depth below `src`; undefined for a file that is not that deep. */
function folderAt(file: string, depth: number): string | undefined {
  const parts = file.split('/')
  return parts.length > depth ? parts.slice(0, depth).join('/') : undefined
}

function parent(folder: string): string {
  return posix.dirname(folder)
}
