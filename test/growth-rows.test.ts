import { join } from 'node:path'
import { operations } from '@toolbridge/api/openapi'
import { expect, test } from 'vitest'
import { commandRows, withoutRow as commandsWithoutRow } from '../bench/growth/commands.mjs'
import { exponentOf, growthOf, isTooSteep } from '../bench/growth/exponent.mjs'
import { functions } from '../bench/growth/functions/all.mjs'
import { withoutRow as functionsWithoutRow } from '../bench/growth/functions/without-row.mjs'
import { kinds } from '../bench/growth/kinds.mjs'
import { methods } from '../bench/growth/methods.mjs'
import { placesIn } from '../bench/growth/places.mjs'
import { requestRows, unasked } from '../bench/growth/requests.mjs'
import { readText, repositoryFiles, root } from './house/repository.ts'

const entries = repositoryFiles(/^packages\/(?!testkit)[a-z]+\/package\.json$/).flatMap((file) => {
  const manifest: { name: string; exports: Record<string, string | { '@toolbridge/source': string }> } =
    JSON.parse(readText(file))
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [{ entry: manifest.name + subpath.slice(1), source: join(file, '..', target['@toolbridge/source']) }],
  )
})

test.each(entries)(
  'each function of $entry is measured, or a reason says why not',
  async ({ entry, source }) => {
    const exported: Record<string, unknown> = await import(join(root, source))
    const names = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
    const measured = (functions[entry] ?? []).map(({ name }) => name.split(/[: (]/)[0])
    const excused = Object.values(functionsWithoutRow[entry] ?? {}).flat()
    const listed: readonly string[] = [...new Set(measured), ...excused].map(String)
    expect(listed.toSorted()).toEqual(names.toSorted())
  },
)

test('rows and reasons are about entries that exist', () => {
  const known = entries.map(({ entry }) => entry)
  const named = [...Object.keys(functions), ...Object.keys(functionsWithoutRow)]
  expect(named.filter((entry) => !known.includes(entry))).toEqual([])
})

test('each operation of the OpenAPI document is measured, or a reason says why not', () => {
  const measured = requestRows().map(({ name }) => name.split(':')[0])
  const ids = Object.values(operations).map(({ id }) => id)
  expect(ids.filter((id) => !measured.includes(id) && !(id in unasked))).toEqual([])
  expect(Object.keys(unasked).filter((id) => !ids.includes(id) || measured.includes(id))).toEqual([])
})

test('each command is measured, or a reason says why not', () => {
  const names = repositoryFiles(/^packages\/cli\/src\/commands\/.*\.ts$/).flatMap((file) =>
    [...readText(file).matchAll(/^ {2,4}name: '([a-z ]+)',$/gm)].map((match) => match[1] ?? ''),
  )
  const measured = commandRows.map(({ command }) => command)
  const excused = Object.keys(commandsWithoutRow)
  expect([...new Set([...measured, ...excused])].toSorted()).toEqual([...new Set(names)].toSorted())
  expect(measured.filter((command) => excused.includes(command))).toEqual([])
})

test('each method that the MCP endpoint handles is measured', () => {
  const handled = repositoryFiles(/^packages\/gateway\/src\/mcp\/.*\.ts$/).flatMap((file) =>
    [...readText(file).matchAll(/\.set(?:Request|Notification)Handler\(\s*'([^']+)'/g)].map(
      (match) => match[1] ?? '',
    ),
  )
  expect(handled).toContain('tools/call')
  expect(handled.filter((method) => !(method in methods))).toEqual([])
})

test('the exponent is the slope of the logarithms, and nothing is computed of a few milliseconds', () => {
  const growing = (exponent: number, unit: number) =>
    [1, 2, 4, 8].map((size) => ({ size, milliseconds: unit * size ** exponent }))
  expect(exponentOf(growing(2, 1))).toBeCloseTo(2)
  expect(exponentOf([{ size: 1, milliseconds: 1 }])).toBeUndefined()
  expect(isTooSteep(growthOf(growing(1.1, 1)))).toBe(false)
  expect(isTooSteep(growthOf(growing(1.3, 1)))).toBe(true)
  expect(growthOf(growing(2, 0.05))).toEqual({ size: 8, milliseconds: 0.05 * 64 })
})

test.each(Object.keys(kinds))(
  'a text of the kind "%s" has about as many characters as are asked for',
  (kind) => {
    for (const size of [64, 1_000]) {
      const text = kinds[kind]?.(size) ?? ''
      expect(text.length).toBeGreaterThan(size * 0.8)
      expect(text.length).toBeLessThanOrEqual(size + 8)
    }
  },
)

test('text is put into every string, name, field and list of a request', () => {
  const schemas = { Named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { $ref: '#/components/schemas/Named' } },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      kind: { type: 'string', const: 'a' },
      any: {},
    },
    required: ['kind'],
  }
  const bodies = placesIn(schema, schemas).map(({ path, write }) => [path, JSON.parse(write('"t"'))])
  expect(Object.fromEntries(bodies)).toMatchObject({
    '/list/0/name (text)': { kind: 'a', list: [{ name: '"t"' }] },
    '/list (items)': { kind: 'a', list: [] },
    '/map/a (text)': { kind: 'a', map: { a: '"t"' } },
    '/map (name)': { kind: 'a', map: { '"t"': 'a' } },
    '/map (names)': { kind: 'a', map: {} },
    '/any (value)': { kind: 'a', any: 't' },
    '/any (text)': { kind: 'a', any: '"t"' },
  })
})
