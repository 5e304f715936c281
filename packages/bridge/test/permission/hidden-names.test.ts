import { expect, test } from 'vitest'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import { targetMatcher, toolSubject } from '../../src/permission/rules/subject.ts'

const rawNames = [
  'delete',
  'delete ',
  ' delete',
  'delete\n',
  'de\u001B[0mlete',
  'delete\uD800',
  'DELETE\t',
  'delete\u{E0041}',
]

test.each(rawNames)('a rule that denies delete also denies %j', (rawName) => {
  const uri = toolUri('files', rawName)
  const tool = {
    name: `files__${rawName}`,
    server: 'files',
    rawName,
    uri,
    plainNames: [],
    definition: { name: rawName, inputSchema: {} },
  }
  const matches = targetMatcher({ kind: 'pair', server: 'files', item: 'delete' } as const, { narrows: true })
  expect(matches(toolSubject(tool))).toBe(true)
})
