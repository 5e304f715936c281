import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { temporaryFolder } from './transcript.ts'

/** A folder that each test of the file has for itself, removed after its other hooks. */
export function useFolder(): { readonly path: string } {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())
  return {
    get path() {
      return folder.path
    },
  }
}

/** Writes a file below a folder, anything but text as JSON. Returns its path. */
export function put(folder: string, path: string, content: unknown): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
