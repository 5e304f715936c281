import { Buffer } from 'node:buffer'
import { homedir } from 'node:os'
import { exactValues } from './exact-values.ts'
import { resolved } from './linux-path.ts'
import type { Reading } from './read-arguments.ts'

/**
 * Takes paths and addresses as a chain of Python's `unquote` and `urlsplit` does: each valid escape is decoded, up to three
 * times, and the others are kept; both separators separate; `~` is the home folder.
 */
export const lenientServer: Reading = { ...exactValues, placeOf }

function placeOf(text: string): string {
  const plain = split(unquoted(unquoted(unquoted(text))))
  const [, host, path] = /^https?:\/\/([^/]*)(.*)$/is.exec(plain) ?? []
  if (host !== undefined && path !== undefined)
    return `https://${host.replace(/^.*@/, '').toLowerCase()}${resolved(path)}`
  const place = withoutScheme(plain).replace(/^~(?=\/|$)/, homedir())
  const [, drive, rest] = /^\/?([A-Za-z]:)(\/.*)$/s.exec(place) ?? []
  return drive === undefined || rest === undefined ? resolved(place) : `${drive}${resolved(rest)}`
}

/** Python's `unquote`: invalid UTF-8 is replaced, incomplete escapes stay. */
function unquoted(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

/** Python's `urlsplit` removes control characters and spaces at the start, and tabs and line breaks anywhere. */
function split(text: string): string {
  return text
    .replace(/^[\0-\x20]+/, '')
    .trimEnd()
    .replaceAll(/[\t\r\n]/g, '')
    .replaceAll('\\', '/')
}

function withoutScheme(text: string): string {
  const [, path] = /^file:(?:\/\/[^/]*)?([^?#]*)/i.exec(text) ?? []
  return path ?? text
}
