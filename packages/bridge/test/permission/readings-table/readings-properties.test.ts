import { Buffer } from 'node:buffer'
import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressesReadIn, folder, pathsReadIn } from './our-readings.ts'
import { readByNode } from './readers/node.mjs'

const numRuns = process.env['TOOLBRIDGE_LONG'] === undefined ? 500 : 10_000

const segment = fc.constantFrom(
  'etc',
  'passwd',
  'a',
  'a b',
  '..',
  '.',
  '',
  '100%',
  '%zz',
  '\u00e9',
  '\u4f60',
  '\uFF45tc',
  '.x',
  'a+b',
)
const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'))
const scheme = fc.constantFrom('file:', 'FILE:', 'File:', 'fIlE:')
const authority = fc.constantFrom('', '/', '//', '///', '//localhost/', '\\\\\\', '/\\/', '////')

/** How often a character is percent-encoded: mostly not. */
const depth = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3)

/** Percent-encodes some characters of a text, some of them again, up to three times. */
function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.array(depth, { minLength: 40, maxLength: 40 }))
    .map(([plain, depths]) => Array.from(plain, (sign, at) => escaped(sign, depths[at % 40] ?? 0)).join(''))
}

function escaped(sign: string, times: number): string {
  if (times === 0) return sign
  const once = Array.from(Buffer.from(sign), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return once.replaceAll('%', `%${'25'.repeat(times - 1)}`)
}

/** Adds what parsers of URLs drop: tabs and line breaks anywhere, blanks and control characters at the beginning. */
function disguised(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const places = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.constantFrom('\t', '\n', '\r', '\r\n')), {
    maxLength: 3,
  })
  const beginning = fc.constantFrom('', '', ' ', '\u0001', '\u001f \u0000', '\t')
  return fc.tuple(text, places, beginning).map(([plain, added, start]) => {
    const signs = Array.from(plain)
    for (const [place, dropped] of added) signs.splice(Math.min(place, signs.length), 0, dropped)
    return `${start}${signs.join('')}`
  })
}

/** `unquote` of Python: escapes of other things than two hexadecimal digits stay, bytes that are no UTF-8 are replaced. */
function unquoted(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

function unquotedUpTo(text: string, rounds: number): readonly string[] {
  const last = rounds === 0 ? [] : unquotedUpTo(unquoted(text), rounds - 1)
  return [text, ...last]
}

const address = disguised(encoded(fc.tuple(scheme, authority, path).map((parts) => parts.join(''))))

test('the path that Node makes of a file address is among its readings, decoded up to three times', () => {
  fc.assert(
    fc.property(address, (text) => {
      const { scheme, path: found } = readByNode(text)
      if (scheme !== 'file' || found === undefined) return
      const isRead = pathsReadIn(text)
      expect(unquotedUpTo(found, 3).filter((each) => !isRead(each))).toEqual([])
    }),
    { numRuns },
  )
})

test('the same is so for the address of a resource', () => {
  fc.assert(
    fc.property(address, (text) => {
      const { scheme, path: found } = readByNode(text)
      if (scheme !== 'file' || found === undefined) return
      const isRead = addressesReadIn(text)
      const paths = unquotedUpTo(found, 3).slice(1)
      expect(paths.map((each) => `file://${posix.normalize(each)}`).filter((each) => !isRead(each))).toEqual(
        [],
      )
    }),
    { numRuns },
  )
})

const plain = encoded(
  fc.tuple(fc.constantFrom('', '/', './', '../', 'out/', '//'), path).map((parts) => parts.join('')),
)

test('what Python makes of a path by decoding it once, twice and three times is among its readings', () => {
  fc.assert(
    fc.property(plain, (text) => {
      const isRead = pathsReadIn(text)
      expect(unquotedUpTo(text, 3).filter((each) => !isRead(each))).toEqual([])
    }),
    { numRuns },
  )
})

test('and where it leads from the folder of the server', () => {
  fc.assert(
    fc.property(plain, (text) => {
      const isRead = pathsReadIn(text)
      const meant = unquotedUpTo(text, 3).map((each) => posix.resolve(folder, each))
      expect(meant.filter((each) => !isRead(each))).toEqual([])
    }),
    { numRuns },
  )
})

const website = disguised(encoded(path).map((each) => `https://user@EXAMPLE.com:443/${each}`))

test('the address that Node makes of one of the network is among its readings', () => {
  fc.assert(
    fc.property(website, (text) => {
      const { href } = new URL(text)
      expect([text, pathsReadIn(text)(href), addressesReadIn(text)(href)]).toEqual([text, true, true])
    }),
    { numRuns },
  )
})
