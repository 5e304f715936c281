// Dialects of the built command: what chooses the dialect of a file is data, and the rest of each dialect is loaded on first
// use. A file has one dialect, and loading all of them takes milliseconds before a server can be started.
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** The module with the list of dialects. */
export const dialectList = 'config/dialects/all.ts'

/**
 * Replaces the dialects in the list. `dialects` are those that it exports.
 *
 * @returns {import('vite').Plugin}
 */
export function lazyDialects(dialects) {
  return {
    name: 'lazy-dialects',
    enforce: 'pre',
    load(id) {
      if (id.endsWith(dialectList)) return withLazyDialects(readFileSync(id, 'utf8'), dialects)
    },
  }
}

function withLazyDialects(source, dialects) {
  const [list, items = ''] = /(?<=const dialects: readonly Dialect\[\] = )\[([\s\w,]+)\]/.exec(source) ?? []
  const variables = items.match(/\w+/g) ?? []
  if (list === undefined || variables.length !== dialects.length)
    throw new Error(`${dialectList} has no list of dialects that can be read`)
  const lazy = dialects.map((dialect, index) => `lazy(${choiceText(dialect)}, () => ${variables[index]})`)
  return `${source.replace(list, () => `[${lazy.join(',\n')}]`)}\n${lazyFunction}`
}

/** What chooses the dialect. */
function choiceText({ name, format, locations }) {
  const choice = { name, format, locations }
  const text = JSON.stringify(choice)
  if (!isDeepStrictEqual(JSON.parse(text), choice)) throw new Error(`${text} is not data`)
  return text
}

/** Returns a dialect of which only the given fields are known until another one is used. */
const lazyFunction = `function lazy(known, load) {
  return new Proxy(known, {
    get: (_, key) => known[key] ?? load()[key],
    has: (_, key) => key in load(),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(load(), key),
  })
}
`
