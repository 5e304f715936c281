import fc from 'fast-check'

type Schema = boolean | Readonly<Record<string, unknown>>

const names = fc.constantFrom('a', 'b', 'c', 'x-y', 'two words', '名前')
const scalars = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'long text', 'ab'),
  fc.integer({ min: -3, max: 12 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(1.5),
)

function optionally(
  keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(keywords, { requiredKeys: [] })
}

/** Schemas with every keyword that lowering has to do with, most of them satisfiable. */
export const schemas: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .letrec<{ schema: Schema; object: Record<string, unknown> }>((tie) => {
    const properties = fc.dictionary(names, tie('schema'), { maxKeys: 4, noNullPrototype: true })
    const stringSchema = optionally({
      minLength: fc.nat({ max: 2 }),
      maxLength: fc.integer({ min: 1, max: 9 }),
      pattern: fc.constantFrom('^a', 'b$', '^[a-z ]*$'),
      format: fc.constantFrom('uri', 'date-time', 'email'),
      description: fc.constantFrom('a text', 'x'.repeat(3_000)),
    }).map((rest) => ({ type: 'string', ...rest }))
    const numberSchema = fc
      .tuple(
        fc.constantFrom('number', 'integer'),
        optionally({
          minimum: fc.integer({ min: -3, max: 3 }),
          maximum: fc.integer({ min: 2, max: 12 }),
          exclusiveMinimum: fc.integer({ min: -5, max: 2 }),
          multipleOf: fc.constantFrom(1, 2, 0.5),
        }),
      )
      .map(([type, rest]) => ({ type, ...rest }))
    const arraySchema = optionally({
      items: tie('schema'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      minItems: fc.nat({ max: 1 }),
      maxItems: fc.integer({ min: 1, max: 3 }),
      uniqueItems: fc.boolean(),
    }).map((rest) => ({ type: 'array', ...rest }))
    const objectSchema = optionally({
      properties,
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      patternProperties: fc.dictionary(fc.constantFrom('^a', '^x-'), tie('schema'), {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      minProperties: fc.nat({ max: 1 }),
      dependentRequired: fc.constant({ a: ['b'] }),
    }).map((rest) => ({ type: 'object', ...rest }))
    const combined = fc.oneof(
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
      fc.record({
        type: fc.constant('object'),
        properties,
        anyOf: fc.array(tie('object'), { minLength: 1, maxLength: 2 }),
      }),
      fc.record({ not: tie('schema') }),
    )
    const plain = fc.oneof(
      fc.constantFrom<Schema>(true, {}, { type: 'boolean' }, { type: 'null' }),
      fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      scalars.map((value) => ({ const: value })),
      fc.constantFrom({ type: ['string', 'null'] }, { type: ['integer', 'string'] }, { minLength: 1 }),
      fc.constantFrom(
        { $ref: '#/$defs/tree' },
        { $ref: '#/$defs/leaf' },
        { $ref: '#/$defs/leaf', description: 'd' },
      ),
      stringSchema,
      numberSchema,
    )
    return {
      object: objectSchema,
      schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, plain, objectSchema, arraySchema, combined),
    }
  })
  .object.chain((object) =>
    fc
      .constantFrom(
        {
          type: 'object',
          properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/tree' } },
          required: ['v'],
        },
        {
          type: 'object',
          properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } },
          additionalProperties: false,
        },
        { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/tree' } }] },
      )
      .map((tree) => ({ ...object, $defs: { tree, leaf: { type: 'string', maxLength: 3 } } })),
  )
