/**
 * The places of a request where its sender can put text, found in the JSON Schema of the request: every string, every name of a
 * field that may have any, and every list.
 *
 * @typedef {Readonly<Record<string, any>>} Schema
 * @typedef {{ path: string, write: (text: string) => string }} Place `write` returns the body of a request as JSON.
 */

/** Stands for the JSON of what is put there, in a body that has no other such text. */
const hole = '@@here@@'
const maxDepth = 7
/** Characters of an item of a list, or of a field, that is repeated. */
const repeatedEvery = 16

/**
 * @param {Schema} schema
 * @param {Readonly<Record<string, Schema>>} schemas Those that it refers to.
 * @returns {Place[]}
 */
export function placesIn(schema, schemas) {
  return find(schema, { schemas, path: '', depth: 0, around: (inner) => inner })
}

/**
 * @typedef {object} At
 * @property {Readonly<Record<string, Schema>>} schemas
 * @property {string} path
 * @property {number} depth
 * @property {(inner: unknown) => unknown} around The body with something in this place.
 */

/**
 * @param {Schema} given
 * @param {At} at
 * @returns {Place[]}
 */
function find(given, at) {
  const schema = resolved(given, at.schemas)
  if (at.depth > maxDepth) return []
  const options = schema['anyOf'] ?? schema['oneOf']
  if (options !== undefined)
    return distinct(
      options.flatMap((/** @type {Schema} */ option) => find(option, { ...at, depth: at.depth + 1 })),
    )
  if (schema['type'] === 'string')
    return 'const' in schema || 'enum' in schema ? [] : [place(at, 'text', JSON.stringify)]
  if (schema['type'] === 'object') return inObject(schema, at)
  if (schema['type'] === 'array') return inList(schema, at)
  return schema['type'] === undefined ? [place(at, 'value', asValue), place(at, 'text', JSON.stringify)] : []
}

/**
 * @param {Schema} schema
 * @param {At} at
 */
function inObject(schema, at) {
  const own = Object.entries(schema['properties'] ?? {}).flatMap(([name, property]) =>
    find(property, inField(at, schema, name)),
  )
  const others = schema['additionalProperties']
  if (typeof others !== 'object') return own
  const filler = JSON.stringify(least(others, at.schemas))
  return [
    ...own,
    ...find(others, inField(at, schema, 'a')),
    place(at, 'name', (text) => `{${JSON.stringify(text)}:${filler}}`),
    place(
      at,
      'names',
      (text) =>
        `{${parts(text)
          .map((part, index) => `${JSON.stringify(part + index)}:${filler}`)
          .join(',')}}`,
    ),
  ]
}

/**
 * @param {Schema} schema
 * @param {At} at
 */
function inList(schema, at) {
  const items = schema['items'] ?? {}
  const inItem = {
    ...at,
    path: `${at.path}/0`,
    depth: at.depth + 1,
    around: (/** @type {unknown} */ inner) => at.around([inner]),
  }
  const filler = JSON.stringify(least(items, at.schemas))
  return [
    ...find(items, inItem),
    place(
      at,
      'items',
      (text) =>
        `[${parts(text)
          .map((part) => (filler === '"a"' ? JSON.stringify(part) : filler))
          .join(',')}]`,
    ),
  ]
}

/**
 * @param {At} at
 * @param {Schema} schema
 * @param {string} name
 * @returns {At}
 */
function inField(at, schema, name) {
  const others = least({ ...schema, additionalProperties: undefined }, at.schemas)
  const around = (/** @type {unknown} */ inner) => at.around({ ...Object(others), [name]: inner })
  return { ...at, path: `${at.path}/${name}`, depth: at.depth + 1, around }
}

/**
 * @param {At} at
 * @param {string} what
 * @param {(text: string) => string} write
 * @returns {Place}
 */
function place({ path, around }, what, write) {
  const [before = '', after = ''] = JSON.stringify(around(hole)).split(JSON.stringify(hole))
  return { path: `${path || '/'} (${what})`, write: (text) => `${before}${write(text)}${after}` }
}

/** @param {string} text JSON, or else a text. */
function asValue(text) {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

/** @param {string} text */
function parts(text) {
  const count = Math.floor(text.length / (repeatedEvery * 2))
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * repeatedEvery, (index + 1) * repeatedEvery),
  )
}

/**
 * The smallest value that a schema allows.
 *
 * @param {Schema} given
 * @param {Readonly<Record<string, Schema>>} schemas
 * @returns {unknown}
 */
function least(given, schemas) {
  const schema = resolved(given, schemas)
  const [option] = schema['anyOf'] ?? schema['oneOf'] ?? []
  if (option !== undefined) return least(option, schemas)
  if ('const' in schema) return schema['const']
  if ('enum' in schema) return schema['enum'][0]
  switch (schema['type']) {
    case 'string':
      return 'a'
    case 'integer':
    case 'number':
      return Math.max(1, schema['minimum'] ?? 1)
    case 'boolean':
      return true
    case 'array':
      return schema['minItems'] > 0 ? [least(schema['items'], schemas)] : []
    case 'object': {
      const names = schema['required'] ?? []
      return Object.fromEntries(
        names.map((/** @type {string} */ name) => [name, least(schema['properties'][name], schemas)]),
      )
    }
    default:
      return 'a'
  }
}

/**
 * @param {Schema} schema
 * @param {Readonly<Record<string, Schema>>} schemas
 * @returns {Schema}
 */
function resolved(schema, schemas) {
  const reference = schema['$ref']
  return typeof reference === 'string' ? (schemas[reference.split('/').at(-1) ?? ''] ?? {}) : schema
}

/** @param {readonly Place[]} places */
function distinct(places) {
  return [...new Map(places.map((each) => [each.path, each])).values()]
}
