/** The functions of `@toolbridge/client/internal` that take text. */
import * as internal from '@toolbridge/client/internal'

/** An object of as many fields takes longer to make than to look at. */
const manyFields = 512 * 1024

/** @param {string} text */
const content = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] })
/** @param {string} text */
const manyNames = (text) =>
  Array.from({ length: Math.ceil(text.length / 16) }, (_, index) => text.slice(index * 16, index * 16 + 16))
/** @param {string} text */
const pairs = (text) =>
  manyNames(text).map((tool, index) => ({ server: `s${index % 7}`, tool: `${tool}${index}` }))
/** @param {string} text */
const schema = (text) => ({
  type: 'object',
  properties: { a: { type: 'string', description: text }, [text]: { enum: [text] } },
  description: text,
})
/** @param {string} text */
const manyProperties = (text) => ({
  type: 'object',
  properties: Object.fromEntries(
    manyNames(text).map((name, index) => [`${name}${index}`, { type: 'string' }]),
  ),
})
/** @param {string} text */
const twice = (text) => [JSON.parse(text), JSON.parse(text)]
const names = () => new internal.TypeNames([])

/** @type {import('../take.mjs').RowsOfEntries} */
export const rows = {
  '@toolbridge/client/internal': [
    {
      name: 'agentResultBy',
      prepare: content,
      take: (result) => internal.agentResultBy(internal.defaultTextPolicy, result),
    },
    {
      name: 'authorizationUrl',
      take: (text) =>
        internal.authorizationUrl(
          /** @type {any} */ ({
            metadata: { authorization_endpoint: 'https://example.com/authorize' },
            client: { client_id: text },
          }),
          /** @type {any} */ ({
            redirectUrl: 'http://127.0.0.1/',
            state: text,
            codeChallenge: text,
            scope: text,
            resource: text,
          }),
        ),
    },
    {
      name: 'callbackParameters',
      take: (text) => internal.callbackParameters(`http://127.0.0.1/callback?${text}`),
    },
    {
      name: 'processCallback',
      prepare: (text) =>
        new URLSearchParams({ code: text, state: text, error: text, error_description: text, iss: text }),
      take: (parameters) =>
        internal.processCallback(
          parameters,
          /** @type {any} */ ({ state: 'a', issuer: 'https://example.com' }),
        ),
    },
    { name: 'comment', take: (text) => internal.comment(text) },
    { name: 'decisiveLine', prepare: (text) => text.split('\n'), take: internal.decisiveLine },
    {
      name: 'decisiveLines',
      prepare: (text) => text.split('\n'),
      take: (lines) => internal.decisiveLines(lines, 5),
    },
    { name: 'decodedFragment', take: (text) => internal.decodedFragment(`#${text}`) },
    { name: 'deepEqual', prepare: twice, take: ([one, other]) => internal.deepEqual(one, other) },
    {
      name: 'deepEqual: keys',
      limit: manyFields,
      prepare: (text) => [manyProperties(text), manyProperties(text)],
      take: ([one, other]) => internal.deepEqual(one, other),
    },

    { name: 'escapeInvisible', take: internal.escapeInvisible },
    { name: 'everyNameOf', take: (text) => internal.everyNameOf({ server: text, tool: text }) },
    {
      name: 'firstName',
      take: (text) => internal.firstName({ server: text, tool: text }, internal.defaultNaming),
    },
    { name: 'isLoopbackHostname', take: internal.isLoopbackHostname },
    { name: 'isTooDeep', prepare: JSON.parse, take: (value) => internal.isTooDeep(value) },
    { name: 'jsonFault', take: (text) => internal.jsonFault(text) },
    { name: 'keyText', take: internal.keyText },
    { name: 'literalText', take: internal.literalText },
    {
      name: 'markedPartsBy',
      prepare: content,
      take: (result) => internal.markedPartsBy(internal.defaultTextPolicy, result),
    },
    {
      name: 'markedTextBy',
      prepare: content,
      take: (result) => internal.markedTextBy(internal.defaultTextPolicy, result),
    },
    { name: 'mayBeNameOf', take: (text) => internal.mayBeNameOf(text, text) },
    {
      name: 'mediaPlaceholder',
      take: (text) => internal.mediaPlaceholder(/** @type {any} */ ({ kind: 'image', mimeType: text })),
    },
    { name: 'nameTools', prepare: pairs, take: (each) => internal.nameTools(each) },
    {
      name: 'nameTools: equal names',
      prepare: (text) => manyNames(text).map((_, index) => ({ server: `s_${index}`, tool: 'a' })),
      take: (each) => internal.nameTools(each, internal.namingPolicy({ separator: 'none' })),
    },
    {
      name: 'nameTools: one name',
      take: (text) =>
        internal.nameTools([
          { server: text, tool: text },
          { server: text, tool: `${text}.` },
        ]),
    },
    {
      name: 'namespaceOf',
      take: (text) => [
        internal.namespaceOf({ url: `https://${text}` }),
        internal.namespaceOf({ name: text }),
        internal.namespaceOf({ command: text }),
      ],
    },
    {
      name: 'nearestName',
      take: (text) => internal.nearestName(text, [`${text}a`, `b${text}`, `${text.slice(0, -2)}yz`]),
    },
    { name: 'nearestName: many', prepare: manyNames, take: (each) => internal.nearestName('abcdefgh', each) },
    { name: 'withoutEnding', take: (text) => internal.withoutEnding(text, '/. ') },
    { name: 'objectKeyText', take: internal.objectKeyText },
    { name: 'oneLine', take: internal.oneLine },
    { name: 'parsedUrl', take: (text) => internal.parsedUrl(`https://example.com/${text}`) },
    { name: 'plainName', take: (text) => internal.plainName({ server: text, tool: text }) },
    { name: 'pointerSteps', take: (text) => internal.pointerSteps(text) },
    { name: 'printInline', prepare: schema, take: (each) => internal.printInline(each, 'A', names()) },
    {
      name: 'printInline: properties',
      limit: manyFields,
      prepare: manyProperties,
      take: (each) => internal.printInline(each, 'A', names()),
    },
    { name: 'printTypes', prepare: schema, take: (each) => internal.printTypes(each, 'A', names()) },
    {
      name: 'printTypes: properties',
      limit: manyFields,
      prepare: manyProperties,
      take: (each) => internal.printTypes(each, 'A', names()),
    },
    {
      name: 'printTypes: references',
      limit: manyFields,
      prepare: (text) => ({
        $defs: Object.fromEntries(
          manyNames(text).map((_, index) => [
            `d${index}`,
            { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { type: 'null' }] },
          ]),
        ),
        $ref: '#/$defs/d0',
      }),
      take: (each) => internal.printTypes(each, 'A', names()),
    },
    { name: 'refusedMessage', take: (text) => internal.refusedMessage(text) },
    { name: 'textBefore', take: (text) => internal.textBefore(text, '#') },
    {
      name: 'TypeNames',
      prepare: manyNames,
      take: (each) => {
        const made = names()
        for (const name of each) made.next('A', name)
      },
    },
    { name: 'TypeNames: one name', take: (text) => names().next(text) },
    { name: 'printable', take: (text) => internal.printable(text) },
    { name: 'printable: cut', take: (text) => internal.printable(text, { maxLength: 100, keepLines: true }) },
    {
      name: 'resolveNames',
      prepare: pairs,
      take: (each) =>
        internal.resolveNames(
          each.map((/** @type {any} */ pair) => ({
            pair,
            first: pair.tool.slice(0, 4),
            policy: internal.defaultNaming,
          })),
        ),
    },
    { name: 'resultParts', prepare: content, take: (result) => internal.resultParts(result) },
    { name: 'safeRegExp', take: (text) => internal.safeRegExp(text).test(text) },
    { name: 'safeRegExp: text', take: (text) => internal.safeRegExp('(a|b)*x+y*$').test(text) },
    { name: 'safeRegExp: repetition', take: (text) => internal.safeRegExp('a*a*$').test(text) },
    {
      name: 'schemaProblems',
      prepare: JSON.parse,
      take: (value) =>
        internal.schemaProblems({ type: 'object', properties: { a: { type: 'string' } } }, value),
    },
    {
      name: 'schemaProblems: items',
      prepare: JSON.parse,
      take: (value) =>
        internal.schemaProblems(
          { type: 'array', items: { type: 'object', required: ['a'] }, uniqueItems: true },
          value,
        ),
    },
    {
      name: 'schemaProblems: text',
      take: (text) =>
        internal.schemaProblems(
          { type: 'string', format: 'uri', pattern: '^a+b*$', maxLength: 5, enum: ['b'] },
          text,
        ),
    },
    {
      name: 'schemaProblems: schema',
      prepare: JSON.parse,
      take: (value) =>
        internal.schemaProblems(
          { type: 'object', properties: { a: value }, enum: [value], allOf: [value] },
          { a: 1 },
        ),
    },
    {
      name: 'schemaProblems: keys',
      limit: manyFields,
      prepare: manyProperties,
      take: (each) =>
        internal.schemaProblems(
          { ...each, additionalProperties: false, required: Object.keys(each.properties) },
          { ...each.properties, other: 1 },
        ),
    },
    {
      name: 'SchemaReader',
      prepare: schema,
      take: (each) =>
        new internal.SchemaReader(each).target(`#/properties/${Object.keys(each.properties)[1]}`),
    },
    { name: 'shellWord', take: internal.shellWord },
    { name: 'suggestName', take: (text) => internal.suggestName(text, [`${text}a`, `b${text}`]) },
    {
      name: 'textBy',
      prepare: content,
      take: (result) => internal.textBy(internal.defaultTextPolicy, result),
    },
    { name: 'valueAt', take: (text) => internal.valueAt({ a: [1] }, text) },
    {
      name: 'valueAt: deep',
      prepare: JSON.parse,
      take: (value) => internal.valueAt(value, '/0'.repeat(500)),
    },
  ],
}
