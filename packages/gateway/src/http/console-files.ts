import { readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import type { GatewayEnv } from './gateway-env.ts'

/**
 * Serves the files of one folder and nothing outside it. Any other path without an extension gets `index.html`, because the
 * console routes on the client.
 */
export function consoleFiles(folder: string): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return next()
    const found = await findFile(folder, context.req.path)
    if (found === undefined) return next()
    return new Response(found.content, {
      headers: {
        'content-type': getMimeType(found.name) ?? 'application/octet-stream',
        'cache-control': found.name.startsWith('/assets/')
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      },
    })
  }
}

interface FoundFile {
  readonly name: string
  readonly content: Buffer<ArrayBuffer>
}

async function findFile(folder: string, path: string): Promise<FoundFile | undefined> {
  const name = decoded(path)
  if (name === undefined) return undefined
  const file = name.endsWith('/') ? undefined : await readInside(folder, name)
  if (file !== undefined) return { name, content: file }
  if (name.slice(name.lastIndexOf('/')).includes('.')) return undefined
  const page = await readInside(folder, '/index.html')
  return page === undefined ? undefined : { name: '/index.html', content: page }
}

function decoded(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path)
    return name.includes('\0') || name.includes('\\') ? undefined : name
  } catch {
    return undefined
  }
}

/** Resolves links before it compares, so that neither `..` nor a symbolic link leads out of the folder. */
async function readInside(folder: string, name: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, name))])
    return file.startsWith(root + sep) ? await readFile(file) : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  const absent = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']
  return error instanceof Error && 'code' in error && absent.includes(String(error.code))
}
