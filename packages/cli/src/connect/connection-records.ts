import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { recordFolder } from '@toolbridge/client/internal'
import type { Terminal } from '../terminal.ts'
import { ownFolder } from '../trust.ts'

/** The part of a file that an edit changed, by which the edit can be undone. It has no other part of the file. */
interface Connection {
  /** Digest of the whole text after the edit. */
  readonly digest: string
  /** Where the changed part begins. */
  readonly start: number
  /** Length of the changed part after the edit. */
  readonly length: number
  /** The changed part before the edit; empty if it is `kept`. Null if there was no file. */
  readonly before: string | null
  /** The part of the text after the edit that is the changed part before it, such as a comment between two insertions. */
  readonly kept?: { readonly start: number; readonly length: number }
}

/** Remembers what `toolbridge connect` changed in the files of hosts. */
export interface ConnectionRecords {
  remember(file: string, before: string | undefined, after: string): Promise<void>
  /** The text before the edit if the file has not changed since; null if there was no file; else undefined. */
  before(file: string, text: string): Promise<string | null | undefined>
  forget(file: string): Promise<void>
}

export function connectionRecords(terminal: Terminal): ConnectionRecords {
  const folder = join(ownFolder(terminal), 'connections')
  const records = recordFolder({ folder, digest: 'hex', others: 'read', durability: 'volatile' })
  return {
    remember: (file, before, after) => records.write(file, changedPart(before, after)),
    async before(file, text) {
      const found = (await records.read(file)) as Connection | undefined
      return found === undefined || found.digest !== digestOf(text) ? undefined : undone(found, text)
    },
    forget: (file) => records.remove(file),
  }
}

function changedPart(before: string | undefined, after: string): Connection {
  const digest = digestOf(after)
  if (before === undefined) return { digest, start: 0, length: after.length, before: null }
  const start = sharedStart(before, after)
  const end = sharedEnd(before.slice(start), after.slice(start))
  const former = before.slice(start, before.length - end)
  const changed = { digest, start, length: after.length - end - start }
  const at = after.slice(start, after.length - end).indexOf(former)
  return at === -1
    ? { ...changed, before: former }
    : { ...changed, before: '', kept: { start: start + at, length: former.length } }
}

function undone({ start, length, before, kept }: Connection, text: string): string | null {
  if (before === null) return null
  const former = kept === undefined ? before : text.slice(kept.start, kept.start + kept.length)
  return text.slice(0, start) + former + text.slice(start + length)
}

function sharedStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

function sharedEnd(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
