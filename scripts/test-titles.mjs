// The titles of the tests of the repository, as they are written, and the ids in brackets at their ends.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files with tests, relative to the repository. */
export function testFiles() {
  return [
    ...filesBelow('packages', /^packages\/[^/]+\/test\/.*\.test\.tsx?$/),
    ...filesBelow('test', /\.test\.ts$/),
  ]
}

/** Files below a folder of the repository whose paths match, sorted. */
export function filesBelow(folder, pattern) {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`)
    .filter((file) => pattern.test(file))
    .toSorted()
}

/** The titles in a file of those tests and groups whose text has an id. Placeholders of templates are `…`. */
export function titlesIn(file, idsIn) {
  const text = readFileSync(root + file, 'utf8')
  return idsIn(text).length === 0 ? [] : calledTitles(parseSync(file, text).program)
}

/** The ids of requirements in brackets, as in `… [S0-14] [D5 C13]`. Those after `advisory` are not among them. */
export function requirementIdsIn(text) {
  return [...text.matchAll(/(?<!\badvisory )\[([^\][]+)\]/g)].flatMap(([, inner = '']) =>
    inner.split(/[\s,]+/).filter((word) => /^(?:S[0-4]-\d+|[CD]\d+|d\.6-\d+)$/.test(word)),
  )
}

/** The ids of advisories, as in `…, advisory [C2 G1]`. */
export function advisoryIdsIn(text) {
  return [...text.matchAll(/\badvisory \[([^\][]+)\]/g)].flatMap(([, inner = '']) => inner.split(/[\s,]+/))
}

/** A title without the brackets that have ids, for a cell of a table. */
export function plainTitle(title) {
  const hasIds = (group) => [...requirementIdsIn(group), ...advisoryIdsIn(group)].length > 0
  return title
    .replaceAll(/,? advisory \[[^\][]*\]/g, '')
    .replaceAll(/\s?\[[^\][]*\]/g, (group) => (hasIds(group) ? '' : group))
    .trim()
    .replaceAll('|', '\\|')
}

/** First arguments of calls of `test`, `it` and `describe`, with their modifiers. */
function calledTitles(node) {
  if (node === null || typeof node !== 'object') return []
  const inner = Object.values(node).flatMap(calledTitles)
  const title =
    node.type === 'CallExpression' && isTestFunction(node.callee) ? titleIn(node.arguments[0]) : ''
  return title === '' ? inner : [title, ...inner]
}

function isTestFunction(callee) {
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(callee.name)
  return isTestFunction(callee.object ?? callee.callee ?? callee.tag ?? { type: 'Identifier' })
}

function titleIn(argument) {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  if (argument?.type !== 'TemplateLiteral') return ''
  return argument.quasis.map(({ value }) => value.cooked).join('…')
}
