import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { FileError } from '@toolbridge/client/internal'
import { ConfigError } from '../../errors.ts'
import type { ReadConfigOptions } from '../read/read-config.ts'
import { readFileText } from '../read/read-config-text.ts'
import type { Issue } from '../spec/issue.ts'
import type { UnwritableField } from '../write/unwritable-fields.ts'
import { type ConfigChange, editConfig } from './edit-config.ts'
import { lockFile } from './file-lock.ts'

/** Options of `editConfigFile`. */
export interface EditFileOptions extends Omit<ReadConfigOptions, 'file'> {
  /** Aborts the edit. */
  readonly signal?: AbortSignal
}

/** The result of `editConfigFile`. */
export interface FileEdit {
  /** Path of the file that was written, after following links. */
  readonly file: string
  /** Whether the text of the file changed. */
  readonly isChanged: boolean
  /** Fields of added or replaced servers that the dialect of the file cannot express. */
  readonly unwritableFields: readonly UnwritableField[]
}

const maxAttempts = 5

/**
 * Applies all changes to a configuration file, or none. The file is replaced atomically, keeping its mode and following
 * links; concurrent edits by several processes are not lost. Adding a server creates a missing file. Throws a
 * `ConfigError` and leaves the file unchanged if it cannot be read, if a change is refused, or if another program keeps
 * writing it.
 */
export async function editConfigFile(
  file: string,
  changes: readonly ConfigChange[],
  options: EditFileOptions = {},
): Promise<FileEdit> {
  try {
    return await editHeld(file, changes, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    throw isOfSystem(error) ? ConfigError.of([unwritable(file, error.code)]) : error
  }
}

/**
 * Gives a file back the text that it had before an edit; undefined removes the file. Returns false, and changes nothing, if its
 * text is not `from`. Throws a `ConfigError` if it cannot be written.
 */
export async function restoreConfigFile(
  file: string,
  { from, to }: { readonly from: string; readonly to: string | undefined },
  { signal }: Pick<EditFileOptions, 'signal'> = {},
): Promise<boolean> {
  try {
    const target = await targetOf(file)
    await using _lock = await lockFile(target, signal)
    if ((await textOf(target)) !== from) return false
    if (to !== undefined) return await replaced(target, from, to)
    await rm(target)
    return true
  } catch (error) {
    signal?.throwIfAborted()
    throw isOfSystem(error) ? ConfigError.of([unwritable(file, error.code)]) : error
  }
}

async function editHeld(
  file: string,
  changes: readonly ConfigChange[],
  options: EditFileOptions,
): Promise<FileEdit> {
  const { signal } = options
  const target = await targetOf(file)
  await mkdir(dirname(target), { recursive: true })
  await using _lock = await lockFile(target, signal)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    signal?.throwIfAborted()
    const before = await textOf(target)
    const { text, unwritableFields } = edited(before ?? '', changes, { ...options, file })
    if (text === (before ?? '')) return { file: target, isChanged: false, unwritableFields }
    if (await replaced(target, before, text)) return { file: target, isChanged: true, unwritableFields }
  }
  throw ConfigError.of([conflict(file)])
}

/** The target of a link, even if it does not exist. */
async function targetOf(file: string): Promise<string> {
  const link = await readlink(file).catch(() => undefined)
  return realpath(file).catch(() => (link === undefined ? file : resolve(dirname(file), link)))
}

function isOfSystem(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && ('syscall' in error || error instanceof FileError) && 'code' in error
}

function edited(
  text: string,
  changes: readonly ConfigChange[],
  options: ReadConfigOptions,
): { readonly text: string; readonly unwritableFields: readonly UnwritableField[] } {
  return changes.reduce<{ readonly text: string; readonly unwritableFields: readonly UnwritableField[] }>(
    (current, change) => {
      const edit = editConfig(current.text, change, options)
      return { text: edit.text, unwritableFields: [...current.unwritableFields, ...edit.unwritableFields] }
    },
    { text, unwritableFields: [] },
  )
}

async function textOf(file: string): Promise<string | undefined> {
  const text = await readFileText(file)
  if (text === undefined || typeof text === 'string') return text
  throw ConfigError.of([text])
}

/** Replaces the file unless its text has changed: other programs do not use the lock. */
async function replaced(target: string, before: string | undefined, text: string): Promise<boolean> {
  const found = await stat(target).catch(() => undefined)
  const draft = join(dirname(target), `.${randomUUID()}.tmp`)
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    if (found !== undefined) {
      await chown(draft, found.uid, found.gid).catch(() => undefined)
      await chmod(draft, found.mode & 0o7777)
    }
    if ((await textOf(target)) !== before) return false
    await rename(draft, target)
    return true
  } finally {
    await rm(draft, { force: true })
  }
}

function conflict(file: string): Issue {
  return {
    code: 'edit_conflict',
    severity: 'error',
    file,
    path: '',
    message: 'another program keeps changing the file; it was not modified',
    fix: 'try again when nothing else writes it',
  }
}

function unwritable(file: string, reason: string): Issue {
  return {
    code: 'file_unwritable',
    severity: 'error',
    file,
    path: '',
    message: `the file cannot be written: ${reason}`,
    fix: 'check the permissions of the file and its folder, and the free disk space',
  }
}
