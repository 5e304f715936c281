import { Buffer } from 'node:buffer'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import type { ContentBlock, ResourceContents } from '@toolbridge/client'
import { hasErrorCode, printable } from '@toolbridge/client/internal'
import { type Invocation, textOption } from '../command.ts'
import { OutputError } from '../output.ts'
import { printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Bytes to save, in base64. */
export interface Media {
  readonly data: string
  readonly mimeType: string
}

/** Where `--output` saves to: a file, or files in a folder. */
export interface OutputTarget {
  readonly kind: 'file' | 'folder'
  readonly path: string
}

/** Reads `--output`: an existing folder or a path that ends with `/` is a folder. Throws if it cannot be written to. */
export async function outputTarget({ options, terminal }: Invocation): Promise<OutputTarget | undefined> {
  const path = textOption(options, 'output')
  if (path === undefined) return undefined
  const whole = resolve(terminal.cwd, path)
  if (await isFolder(whole)) return { kind: 'folder', path: whole }
  if (/[/\\]$/.test(path)) {
    await mkdir(whole, { recursive: true }).catch((error: unknown) => refuse(path, error))
    return { kind: 'folder', path: whole }
  }
  if (await isFolder(dirname(whole))) return { kind: 'file', path: whole }
  throw new UsageError(`cannot write to "${path}": there is no folder "${dirname(path)}"`)
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}

/**
 * Saves media, and names each file on stderr. In a folder, names begin with `stem`. Only the file that the user named is
 * replaced: a server chooses how many there are.
 */
export async function saveMedia(
  media: readonly Media[],
  target: OutputTarget,
  stem: string,
  terminal: Terminal,
): Promise<void> {
  for (const [index, { data, mimeType }] of media.entries()) {
    const bytes = Buffer.from(data, 'base64')
    const path =
      target.kind === 'folder'
        ? await saveNew(join(target.path, `${plain(stem)}-${index + 1}`), `.${extensionOf(mimeType)}`, bytes)
        : await saveNumbered(target.path, index + 1, bytes)
    printError(terminal, printable(`toolbridge: saved ${path} (${mimeType}, ${bytes.length} bytes)`))
  }
}

/** Writes a file, which may exist. Returns its path. */
export async function saveAs(path: string, contents: string | Uint8Array): Promise<string> {
  await writeFile(path, contents).catch((error: unknown) => refuse(path, error))
  return path
}

/** Writes the file that the user named, or a further one beside it. */
function saveNumbered(path: string, number: number, bytes: Uint8Array): Promise<string> {
  if (number === 1) return saveAs(path, bytes)
  const { dir, name, ext } = parse(path)
  return saveNew(join(dir, `${name}-${number}`), ext, bytes)
}

/** Writes a file that does not exist yet, with a number in its name if needed. */
async function saveNew(stem: string, extension: string, bytes: Uint8Array): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const path = `${stem}${attempt === 0 ? '' : `-${attempt}`}${extension}`
    try {
      await writeFile(path, bytes, { flag: 'wx' })
      return path
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) refuse(path, error)
    }
  }
}

function refuse(path: string, error: unknown): never {
  throw new OutputError(`cannot write "${path}": ${error instanceof Error ? error.message : String(error)}`)
}

/** A server may choose the name, so only characters that mean nothing to a file system are used. */
function plain(stem: string): string {
  return stem.replaceAll(/[^\w-]+/g, '_').slice(0, 100)
}

/** Images, audio and binary resources among the blocks of a result. */
export function mediaIn(blocks: readonly ContentBlock[]): readonly Media[] {
  return blocks.flatMap((block) => {
    if (block.type === 'image' || block.type === 'audio') return [block]
    return block.type === 'resource' ? blobOf(block.resource) : []
  })
}

/** The bytes of a binary resource. */
export function blobOf(
  contents: ResourceContents | { readonly blob?: string; readonly mimeType?: string },
): readonly Media[] {
  const { blob, mimeType = 'application/octet-stream' }: { blob?: string; mimeType?: string } = contents
  return blob === undefined ? [] : [{ data: blob, mimeType }]
}

const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-wav': 'wav',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

function extensionOf(mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';')
  return Object.hasOwn(extensions, type.trim()) ? (extensions[type.trim()] ?? 'bin') : 'bin'
}
