import { describe, expect, test } from 'vitest'
import { addressesReadIn, isDenied, pathsReadIn } from './our-readings.ts'
import { readByNode, readDocumentByNode } from './readers/node.mjs'
import { givenTexts, pathsMade, readingsTable } from './table.ts'

const { texts, documents } = readingsTable()

describe('the table', () => {
  test('has a row for each text and document, and what this Node makes of it', () => {
    const given = givenTexts()
    expect(texts.map(({ text, node }) => ({ text, node }))).toEqual(
      given.texts.map((text) => ({ text, node: readByNode(text) })),
    )
    expect(documents.map(({ document, node }) => ({ document, node }))).toEqual(
      given.documents.map((document) => ({ document, node: readDocumentByNode(document) })),
    )
  })

  test('has what Python and Go make of at least 200 texts and 25 documents', () => {
    expect(texts.length).toBeGreaterThanOrEqual(200)
    expect(documents.length).toBeGreaterThanOrEqual(25)
    for (const { text, python, go } of texts) {
      expect(python, text).toHaveProperty('decoded')
      expect('decoded' in go || /%/.test(text), text).toBe(true)
    }
  })
})

test('every path that Node, Python or Go makes of a text is among its readings', () => {
  const missed = texts.flatMap((row) => {
    const isRead = pathsReadIn(row.text)
    return pathsMade(row).flatMap((path) => (isRead(path) ? [] : shown(row.text, path)))
  })
  expect(missed).toEqual([])
})

test('every address that Node makes of a text is among its readings, also if it names a resource', () => {
  const missed = texts.flatMap(({ text, node: { scheme, address, path = '', decodedPath = path } }) => {
    if (address === undefined) return []
    if (scheme === 'file')
      return addressesReadIn(text)(`file://${decodedPath}`) ? [] : shown(text, `file://${decodedPath}`)
    return pathsReadIn(text)(address) && addressesReadIn(text)(address) ? [] : shown(text, address)
  })
  expect(missed).toEqual([])
})

test('a rule about an argument sees what Node, Python or Go takes for that argument', () => {
  const missed = documents.flatMap(({ document, ...readers }) =>
    Object.values(readers).flatMap(({ path }) =>
      path === undefined || isDenied(JSON.parse(document), path) ? [] : shown(document, path),
    ),
  )
  expect(missed).toEqual([])
})

/** What was missed, on one line of the failure. */
function shown(text: string, made: string): readonly string[] {
  return [`${JSON.stringify(text)} is ${JSON.stringify(made)}`]
}
