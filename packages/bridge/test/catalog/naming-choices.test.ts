import { expect, test } from 'vitest'
import { modelName } from '../../src/catalog/model-name.ts'
import { namingChoices, namingOf } from '../../src/catalog/naming.ts'

test('the naming settings of a policy are those that it has', () => {
  expect(namingChoices({})).toStrictEqual({})
  expect(namingChoices({ 'naming.separator': '-', stderr: 'discard' })).toStrictEqual({ separator: '-' })
  expect(namingChoices({ 'naming.sanitize': 'kebab' })).toStrictEqual({ sanitize: 'kebab' })
  expect(namingChoices({ 'naming.maxLength': 32 })).toEqual({ maxLength: 32 })
  expect(namingChoices({ 'naming.onCollision': 'error' })).toEqual({ onCollision: 'error' })
})

test('the choices of the bridge go before those of a definition, and both before the defaults', () => {
  const usual = { separator: '__', sanitize: 'identifier', maxLength: 64, onCollision: 'suffix' }
  expect(namingOf(undefined, {})).toEqual(usual)
  expect(namingOf(undefined, { separator: '.' })).toEqual({ ...usual, separator: '.' })
  const policy = { 'naming.separator': '-', 'naming.sanitize': 'kebab' } as const
  expect(namingOf(policy, { separator: '.' })).toEqual({ ...usual, separator: '.', sanitize: 'kebab' })
})

test('a model gets the public name, or an alias that its provider accepts', () => {
  const tool = (name: string, ...plainNames: readonly string[]) => ({
    name,
    plainNames,
    uri: 'mcp://files/read',
    server: 'files',
    rawName: 'read',
    definition: { name: 'read', inputSchema: {} },
  })
  const rules = { toolName: /^[a-z]\w*$/, maxToolNameLength: 20 }
  expect(modelName(tool('files__read', 'x'), rules)).toBe('files__read')
  expect(modelName(tool('a'.repeat(20), 'x'), rules)).toBe('a'.repeat(20))
  // The hash is that of the address: printf mcp://files/read | sha256sum
  expect(modelName(tool('a'.repeat(21), 'first', 'files__read'), rules)).toBe('files__read_c83a2a64')
  expect(modelName(tool('?', 'a'.repeat(30)), rules)).toMatch(/^a{11}_[\da-f]{8}$/)
  expect(modelName(tool('1', '1'), rules)).toMatch(/^t_1_[\da-f]{8}$/)
  expect(modelName(tool('1'), rules)).toMatch(/^t__[\da-f]{8}$/)
  const wide = { ...rules, maxToolNameLength: 100 }
  expect(modelName(tool('?', 'a'.repeat(60)), wide)).toMatch(/^a{50}_[\da-f]{8}$/)
})
