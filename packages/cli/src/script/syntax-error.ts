import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A syntax error of a module whose message begins with the location. */
export class LocatedSyntaxError extends Error {
  override readonly name = 'LocatedSyntaxError'
}

/**
 * Adds the file and the line to a syntax error of an import. Node names them only in some of these errors, so the modules that
 * were loaded are checked again, the last one first. An error that none of them explains is returned as it is.
 */
export async function locatedSyntaxError(error: SyntaxError, loaded: readonly string[]): Promise<Error> {
  // TypeScript that cannot be parsed.
  if (/^\S.*\.m?ts:\d+: /.test(error.message)) return new LocatedSyntaxError(error.message)
  const [, named = '', namedLine] = /^(file:.+|\/.+|[A-Z]:\\.+):(\d+)\n/.exec(error.stack ?? '') ?? []
  if (namedLine !== undefined)
    return new LocatedSyntaxError(`${pathOf(named)}:${namedLine}: ${error.message}`)
  for (const url of loaded.toReversed()) {
    const line = await wrongLine(url)
    if (line !== undefined) return new LocatedSyntaxError(`${pathOf(url)}:${line}: ${error.message}`)
  }
  return error
}

function pathOf(fileOrUrl: string): string {
  return fileOrUrl.startsWith('file:') ? fileURLToPath(fileOrUrl) : fileOrUrl
}

/** The line at which Node cannot parse a module. */
async function wrongLine(url: string): Promise<string | undefined> {
  if (!url.startsWith('file:')) return undefined
  const file = fileURLToPath(url)
  const code = await readFile(file, 'utf8')
  // Imported here, and from there: most programs have no error, and the hooks are a file of their own.
  const { compiled, isTypeScript } = await import('#script-hooks')
  const complaint = await complaintAbout(isTypeScript(url) ? compiled(code, file) : code)
  return /^(?:file:.*|\[stdin\]):(\d+)$/m.exec(complaint)?.[1]
}

/** What Node prints about an ES module that it only parses. */
function complaintAbout(code: string): Promise<string> {
  return new Promise((resolve) => {
    const checking = execFile(
      process.execPath,
      ['--input-type=module', '--check', '-'],
      (_error, _stdout, stderr) => resolve(stderr),
    )
    checking.stdin?.end(code)
  })
}
