import { expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { withinBudget } from '../../src/catalog/lowering/within-budget.ts'
import { type LoweredTool, type Lowering, lowerTool } from '../../src/catalog/lowering/lower-tool.ts'
import type { ProfileName } from '../../src/catalog/profiles/profile.ts'
import { profiles } from '../../src/catalog/profiles/profiles.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { createSchemaChecks } from '../../src/catalog/schema/schema-checks.ts'

type Json = Readonly<Record<string, unknown>>

function lowering(inputSchema: Json, profile: ProfileName, description = 'd'): Lowering {
  const catalog = new Catalog(createEmit(undefined))
  catalog.show([{ name: 's', tools: [{ name: 't', description, inputSchema }] }])
  const [tool] = catalog.tools
  if (tool === undefined) throw new Error('there is no tool')
  return lowerTool(tool, profiles[profile], createSchemaChecks())
}

function lowered(inputSchema: Json, profile: ProfileName, description = 'd'): LoweredTool {
  const result = lowering(inputSchema, profile, description)
  if (result.kind === 'quarantined') throw new Error(result.why.reason)
  return result.tool
}

function object(properties: Json, required: readonly string[] = []): Json {
  return { type: 'object', properties, required, additionalProperties: false }
}

test('strict mode requires everything, lets null stand for what is left out, and drops that null again', () => {
  const tool = lowered(
    object({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: ['string', 'null'] } }, ['a']),
    'openai-strict',
  )
  expect(tool.isStrict).toBe(true)
  expect(tool.parameters).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] }, c: { type: ['string', 'null'] } },
    required: ['a', 'b', 'c'],
    additionalProperties: false,
  })
  // A null that the tool itself takes stays.
  expect(tool.restore({ a: 'x', b: null, c: null })).toEqual({ kind: 'arguments', args: { a: 'x', c: null } })
})

test('nulls are dropped inside arrays, choices and shapes that contain themselves', () => {
  const node = {
    type: 'object',
    properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['v'],
    additionalProperties: false,
  }
  const tool = lowered(
    {
      ...object({ tree: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'string' }] } }, ['tree']),
      $defs: { node },
    },
    'openai-strict',
  )
  expect(tool.isStrict).toBe(true)
  expect(tool.restore({ tree: { v: 1, kids: [{ v: 2, kids: null }] } })).toEqual({
    kind: 'arguments',
    args: { tree: { v: 1, kids: [{ v: 2 }] } },
  })
  expect(tool.notes.filter(({ effect }) => effect === 'widened')).toEqual([])
})

test('what strict mode cannot express is offered without it, with a note', () => {
  const tool = lowered(object({ anything: {}, map: { type: 'object' } }), 'openai-strict')
  expect(tool.isStrict).toBe(false)
  expect(tool.notes[0]).toMatchObject({ code: 'not_strict', message: expect.stringContaining('/anything') })
})

test('arguments of any names are offered without strict mode, and no arguments with it', () => {
  for (const additionalProperties of [true, { type: 'string' }]) {
    const open = lowered({ type: 'object', additionalProperties }, 'openai-strict')
    expect(open.isStrict).toBe(false)
    expect(open.restore({ a: 'x' })).toEqual({ kind: 'arguments', args: { a: 'x' } })
  }
  for (const schema of [{ type: 'object' }, { type: 'object', properties: {} }, {}])
    expect(lowered(schema, 'openai-strict').isStrict).toBe(true)
})

test('null alone is a text that can only be null for Google', () => {
  const tool = lowered(object({ a: { type: 'null' }, b: { const: null } }, ['a']), 'google')
  const none = { type: 'string', nullable: true, description: 'only null' }
  expect(tool.parameters).toMatchObject({ properties: { a: none, b: none } })
  expect(tool.restore({ a: null })).toEqual({ kind: 'arguments', args: { a: null } })
  expect(lowered(object({ a: { type: 'null' } }, ['a']), 'openai-strict').parameters).toMatchObject({
    properties: { a: { type: 'null' } },
  })
})

test('null is never listed for Google, whose enums have strings only', () => {
  const schema = object({
    optional: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    listed: { enum: ['a', 'b', null] },
    either: { anyOf: [{ enum: ['a'] }, { type: 'null' }, { type: 'number' }] },
  })
  const tool = lowered(schema, 'google')
  expect(tool.parameters['properties']).toMatchObject({
    optional: { type: 'string', nullable: true },
    listed: { type: 'string', nullable: true, enum: ['a', 'b'] },
    either: { anyOf: [{ type: 'string', nullable: true, enum: ['a'] }, { type: 'number' }] },
  })
  const args = { optional: null, listed: null, either: null }
  expect(tool.restore(args)).toEqual({ kind: 'arguments', args })
})

test('nothing stands beside choices for Google, whose descriptions move into the first of them', () => {
  const either = { description: 'e', anyOf: [{ type: 'string', description: 's' }, { type: 'number' }] }
  const schema = {
    ...object({ a: either, b: { description: 'any' }, c: { $ref: '#/$defs/E', description: 'r' } }),
    $defs: { E: either },
  }
  const { properties } = lowered(schema, 'google').parameters as {
    properties: Readonly<Record<string, Json>>
  }
  for (const name of ['a', 'b', 'c']) expect(Object.keys(properties[name] ?? {})).toEqual(['anyOf'])
  expect(properties['a']).toEqual({ anyOf: [{ type: 'string', description: 'e s' }, { type: 'number' }] })
  expect(properties['c']).toMatchObject({ anyOf: [{ description: 'r s' }, { type: 'number' }] })
  expect(properties['b']).toMatchObject({ anyOf: [{ description: 'any', nullable: true }, {}, {}, {}, {}] })
})

test('a pattern that looks around is told in words where it would fail the whole request, and still checked', () => {
  const pattern = String.raw`^(?!\.)[a-z.]+@(?<host>[a-z]+)$`
  const schema = object(
    { to: { type: 'array', items: { type: 'string', pattern } }, plain: { type: 'string', pattern: '^a' } },
    ['to'],
  )
  for (const profile of ['openai-strict', 'openai', 'mistral', 'google', 'generic'] as const) {
    const tool = lowered(schema, profile)
    expect(JSON.stringify(tool.parameters)).not.toContain('"pattern":"^(?!')
    expect(JSON.stringify(tool.parameters)).toContain('"pattern":"^a"')
    expect(tool.parameters).toMatchObject({
      properties: { to: { items: { description: expect.stringContaining('pattern "^(?!') } } },
    })
    expect(tool.restore({ to: ['.a@b'] })).toMatchObject({ kind: 'refused' })
    expect(tool.restore({ to: ['a@b'] })).toMatchObject({ kind: 'arguments' })
  }
  expect(JSON.stringify(lowered(schema, 'anthropic').parameters)).toContain('"pattern":"^(?!')
})

test('schemas that must all hold become one', () => {
  const tool = lowered(
    {
      ...object(
        {
          x: {
            allOf: [
              { type: 'object', properties: { a: { type: 'number', minimum: 1 } }, required: ['a'] },
              { $ref: '#/$defs/more' },
            ],
          },
        },
        ['x'],
      ),
      $defs: {
        more: {
          properties: { a: { minimum: 3 }, b: { type: 'string' } },
          required: ['b'],
          additionalProperties: false,
        },
      },
    },
    'openai-strict',
  )
  expect(tool.isStrict).toBe(true)
  expect(tool.parameters['properties']).toEqual({
    x: object({ a: { type: 'number', minimum: 3 }, b: { type: 'string' } }, ['a', 'b']),
  })
})

test('a constraint without a word is told in words, and what breaks it is refused with the reason', () => {
  const tool = lowered(object({ a: { type: 'string', minLength: 3 } }, ['a']), 'openai-strict')
  expect(tool.parameters['properties']).toEqual({ a: { type: 'string', description: '(minLength 3)' } })
  expect(tool.notes).toContainEqual(
    expect.objectContaining({ code: 'keyword_dropped', effect: 'widened', path: '/a' }),
  )
  expect(tool.restore({ a: 'ab' })).toEqual({
    kind: 'refused',
    reason: 'the arguments do not fit: /a must NOT have fewer than 3 characters',
  })
  expect(tool.restore({ a: 'abc' })).toEqual({ kind: 'arguments', args: { a: 'abc' } })
})

test('Google gets no references, no constants, nullable for null, and names it takes', () => {
  const tool = lowered(
    {
      ...object(
        {
          'x-y': { const: 'only' },
          maybe: { type: ['integer', 'null'], exclusiveMinimum: 0, format: 'int32' },
          leaf: { $ref: '#/definitions/leaf' },
          level: { enum: [1, 2, 3] },
        },
        ['x-y'],
      ),
      definitions: { leaf: { type: 'string', format: 'uri' } },
    },
    'google',
  )
  const [alias = ''] = tool.parameters['required'] as readonly string[]
  expect(tool.parameters['properties']).toEqual({
    [alias]: { type: 'string', enum: ['only'] },
    maybe: { type: 'integer', minimum: 1, format: 'int32', nullable: true },
    leaf: { type: 'string', description: '(format uri)' },
    level: { type: 'number', minimum: 1, maximum: 3, description: '(one of 1, 2, 3)' },
  })
  expect(alias).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/)
  expect(tool.restore({ [alias]: 'only', level: 2 })).toEqual({
    kind: 'arguments',
    args: { 'x-y': 'only', level: 2 },
  })
  expect(tool.restore({ [alias]: 'only', level: 2.5 })).toMatchObject({ kind: 'refused' })
})

test('a shape that contains itself ends somewhere for Google', () => {
  const tool = lowered(
    {
      ...object({ tree: { $ref: '#/$defs/node' } }),
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
    'google',
  )
  expect(JSON.stringify(tool.parameters)).not.toContain('$ref')
  expect(tool.notes).toContainEqual(expect.objectContaining({ code: 'recursion_cut' }))
})

test('a tuple of an old draft is a tuple of the new one for Anthropic, and a list of either for strict mode', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object(
      { at: { type: 'array', items: [{ type: 'number' }, { type: 'string' }], additionalItems: false } },
      ['at'],
    ),
  }
  expect(lowered(schema, 'anthropic').parameters).toEqual({
    ...object(
      { at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: { not: {} } } },
      ['at'],
    ),
  })
  const strict = lowered(schema, 'openai-strict')
  expect(strict.parameters['properties']).toEqual({
    at: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] }, maxItems: 2 },
  })
  expect(strict.restore({ at: ['a', 1] })).toMatchObject({ kind: 'refused' })
  expect(strict.restore({ at: [1, 'a'] })).toEqual({ kind: 'arguments', args: { at: [1, 'a'] } })
})

test.each(Object.keys(profiles) as ProfileName[])(
  'choices at the top become one object for %s, and a mixture of them is refused',
  (profile) => {
    const tool = lowered(
      {
        type: 'object',
        oneOf: [
          { properties: { kind: { const: 'a' }, a: { type: 'string' } }, required: ['kind', 'a'] },
          { properties: { kind: { const: 'b' }, b: { type: 'string' } }, required: ['kind', 'b'] },
        ],
      },
      profile,
    )
    for (const keyword of ['oneOf', 'anyOf', 'allOf']) expect(tool.parameters[keyword]).toBeUndefined()
    expect(tool.parameters['type']).toBe('object')
    expect(tool.restore({ kind: 'a', a: 'x', ...(tool.isStrict ? { b: null } : {}) })).toEqual({
      kind: 'arguments',
      args: { kind: 'a', a: 'x' },
    })
    expect(tool.restore({ kind: 'a', b: 'x' })).toMatchObject({ kind: 'refused' })
  },
)

test.each([
  [{}, 'generic'],
  [{ type: 'object' }, 'openai-strict'],
  [{ properties: {} }, 'openai'],
] as const)('an empty schema %o is an object without properties', (schema, profile) => {
  expect(lowered(schema, profile).parameters).toMatchObject({ type: 'object', properties: {} })
})

test.each([
  [{ type: 'string' }, 'schema_not_object'],
  [{ $ref: 'https://example.com/schema.json' }, 'reference_unresolvable'],
  [{ type: 'object', properties: { a: 5 } }, 'schema_malformed'],
  [{ type: 'object', properties: [] }, 'schema_malformed'],
  [{ allOf: [{ type: 'object' }, false] }, 'schema_unsatisfiable'],
  [
    object({ a: { enum: Array.from({ length: 60_000 }, (_, index) => `value ${index}`) } }),
    'schema_too_large',
  ],
] as const)('schema %# is put aside with the reason', (schema, code) => {
  for (const profile of Object.keys(profiles) as ProfileName[])
    expect(lowering(schema, profile)).toMatchObject({
      kind: 'quarantined',
      why: { code, reason: expect.any(String) },
    })
})

test('a schema beyond the limits of strict mode is offered without it', () => {
  let nested: Json = object({ a: { type: 'string' } }, ['a'])
  for (let level = 0; level < 10; level += 1) nested = object({ in: nested }, ['in'])
  const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`)
  const names = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [`p${index}`, { type: 'string' }]),
  )
  const wide = object({ a: object(names), b: object(names), c: object(names), d: object(names) })
  expect(lowered(nested, 'openai-strict').notes[0]?.message).toContain('more than 10 deep')
  expect(lowered(object({ a: { enum: values } }), 'openai-strict').notes[0]?.message).toContain(
    'more than 1000 values',
  )
  expect(lowering(wide, 'openai-strict')).toMatchObject({
    kind: 'quarantined',
    why: { code: 'schema_too_large' },
  })
})

test('names that every object has are names like any other', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__"],"allOf":[{"__proto__":{"type":"number"}},{"__proto__":{"type":"string"}}]}',
  )
  for (const profile of Object.keys(profiles) as ProfileName[]) {
    const tool = lowered(schema, profile)
    expect(Object.keys(tool.parameters['properties'] ?? {})).toHaveLength(2)
    const args = JSON.parse('{"__proto__":"x"}')
    expect(
      JSON.stringify(tool.restore(profile === 'openai-strict' ? { ...args, constructor: null } : args)),
    ).toBe('{"kind":"arguments","args":{"__proto__":"x"}}')
  }
})

test('a schema of ten thousand levels is put aside and not a crash', () => {
  let schema: Json = { type: 'string' }
  for (let level = 0; level < 10_000; level += 1) schema = object({ in: schema })
  for (const profile of Object.keys(profiles) as ProfileName[])
    expect(lowering(schema, profile).kind).toBe('quarantined')
})

test('references that double at every step are put aside, or kept as references, and never unfolded without end', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index}`,
      index === 39
        ? { type: 'string' }
        : object({ l: { $ref: `#/$defs/d${index + 1}` }, r: { $ref: `#/$defs/d${index + 1}` } }),
    ]),
  )
  const schema = { ...object({ top: { $ref: '#/$defs/d0' } }), $defs }
  expect(lowering(schema, 'anthropic').kind).toBe('lowered')
  expect(lowering(schema, 'google').kind).toBe('quarantined')
})

test('a description keeps within its budget and ends where a sentence ends', () => {
  const long = `${'A sentence. '.repeat(200)}`
  const { description, notes } = lowered({}, 'openai', long)
  expect(description.length).toBeLessThanOrEqual(1_024)
  expect(description).toMatch(/sentence\.…$/)
  expect(notes).toContainEqual(expect.objectContaining({ code: 'description_trimmed' }))
  expect(withinBudget('one two three', 9)).toBe('one two…')
  expect(withinBudget('😀😀😀', 4)).toBe('😀…')
})

test('a server cannot hang its host with a pattern', () => {
  const schema = object({
    a: { type: 'string', pattern: '^(a+)+$' },
    b: { type: 'string', pattern: '^.*.*.*.*.*c$', minLength: 1 },
  })
  const args = { a: `${'a'.repeat(50)}!`, b: 'x'.repeat(50_000) }
  expect(lowered(schema, 'openai-strict').restore(args).kind).toBe('arguments')
})
