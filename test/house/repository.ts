import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of the files that belong to the repository: tracked, or new and not ignored. */
export function repositoryFiles(pattern: RegExp): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const present = (file: string): boolean => readable(file) !== undefined
  return listed.split('\0').filter((file) => file !== '' && pattern.test(file) && present(file))
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function readable(file: string): string | undefined {
  try {
    return readText(file)
  } catch {
    return undefined
  }
}
