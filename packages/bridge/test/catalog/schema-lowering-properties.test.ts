import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type LoweredTool, lowerTool } from '../../src/catalog/lowering/lower-tool.ts'
import { profiles } from '../../src/catalog/profiles/profiles.ts'
import type { ProfileName } from '../../src/catalog/profiles/profile.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { createSchemaChecks } from '../../src/catalog/schema/schema-checks.ts'
import { schemas } from './schemas/arbitrary.ts'
import { sample } from './schemas/sample.ts'

const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined
const runs = isLong ? 2_000 : 60
const checks = createSchemaChecks()

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  // Most of the time of these tests is compilation.
  messages: false,
  code: { optimize: false },
})

/** Compiles a schema when the first value is judged. */
function judge(schema: object): (value: unknown) => boolean {
  let validate: ((value: unknown) => boolean) | undefined
  return (value) => {
    validate ??= compiled(schema)
    return validate(value)
  }
}

function compiled(schema: object): (value: unknown) => boolean {
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}

function lowered(
  inputSchema: Readonly<Record<string, unknown>>,
  profile: ProfileName,
): LoweredTool | undefined {
  const catalog = new Catalog(createEmit(undefined))
  catalog.show([{ name: 's', tools: [{ name: 't', inputSchema }] }])
  const [tool] = catalog.tools
  const lowering = tool && lowerTool(tool, profiles[profile], checks)
  return lowering?.kind === 'lowered' ? lowering.tool : undefined
}

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test.each(Object.keys(profiles) as ProfileName[])(
  'what a model says by the schema of %s fits the original schema, or is refused with a reason',
  (profile) => {
    let [checked, refused, strict] = [0, 0, 0]
    fc.assert(
      fc.property(schemas, fc.integer({ min: 0, max: 2 ** 31 }), (schema, seed) => {
        const tool = lowered(schema, profile)
        if (tool === undefined) return
        if (tool.isStrict) strict += 1
        const [fitsLowered, fitsOriginal] = [judge(tool.parameters), judge(schema)]
        const random = randomFrom(seed)
        for (let count = 0; count < 4; count += 1) {
          const value = sample(tool.parameters, tool.parameters, random)
          if (!fitsLowered(value)) continue
          checked += 1
          const raised = tool.restore(value)
          if (raised.kind === 'arguments') {
            expect(fitsOriginal(raised.args), JSON.stringify([tool.parameters, value, raised.args])).toBe(
              true,
            )
          } else {
            refused += 1
            expect(raised.reason).toMatch(/\S/)
            expect(tool.notes.some(({ effect }) => effect === 'widened')).toBe(true)
          }
        }
      }),
      { numRuns: runs },
    )
    expect(checked - refused).toBeGreaterThan(runs / 10)
    if (profile === 'openai-strict') expect(strict).toBeGreaterThan(0)
    if (!isLong) return
    // Shares that a few dozen random schemas miss now and then, and thousands do not.
    expect(checked).toBeGreaterThan(runs / 2)
    expect(refused).toBeLessThan(checked / 2)
    if (profile === 'openai-strict') expect(strict).toBeGreaterThan(runs / 10)
  },
  600_000,
)

const words = fc.constantFrom(
  'type',
  'properties',
  'required',
  'items',
  'enum',
  '$ref',
  'allOf',
  'anyOf',
  'pattern',
  'minimum',
  'not',
  'a',
  '__proto__',
)
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      'object',
      'string',
      '#',
      '#/properties/a',
      '(',
      '^a',
      '',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(words, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value

test('whatever a server sends as a schema, it is lowered to a schema or put aside, and a call never crashes', () => {
  fc.assert(
    fc.property(fc.dictionary(words, anything, { noNullPrototype: true }), anything, (schema, value) => {
      for (const profile of Object.keys(profiles) as ProfileName[]) {
        const tool = lowered({ ...schema, type: 'object' }, profile)
        if (tool === undefined) continue
        expect(ajv.validateSchema(tool.parameters)).toBe(true)
        expect(tool.parameters['type']).toBe('object')
        expect(['arguments', 'refused']).toContain(tool.restore(value).kind)
      }
    }),
    { numRuns: runs * 2 },
  )
})
