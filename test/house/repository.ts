import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Folders in `.gitignore`, and `.git`. */
const ignored = new Set(['.git', '.toolbridge', 'coverage', 'dist', 'node_modules'])

/** Paths of the files that belong to the repository. */
export function repositoryFiles(pattern: RegExp): readonly string[] {
  return filesBelow('').filter((file) => pattern.test(file))
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return ignored.has(entry.name) ? [] : filesBelow(path)
    return entry.isFile() && !entry.name.endsWith('.tsbuildinfo') ? [path] : []
  })
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
