import type { AST } from 'toml-eslint-parser'
import type { DocumentNode, SyntaxProblem } from './node.ts'
import { toml } from './toml-library.ts'

/** Parses TOML 1.0. Tables in several parts become one object at the position of the first part. */
export function parseToml(text: string): DocumentNode | SyntaxProblem {
  const { ParseError, parseTOML } = toml()
  try {
    const [top] = parseTOML(text, { tomlVersion: '1.0' }).body
    const root: Table = { extent: { offset: 0, length: text.length }, entries: new Map() }
    for (const item of top.body) addTo(root, item)
    return frozen(root)
  } catch (error) {
    if (error instanceof ParseError) return { offset: error.index, problem: lowerFirst(error.message) }
    if (error instanceof RangeError) return { offset: 0, problem: 'expected fewer levels of nesting' }
    throw error
  }
}

type Extent = Pick<DocumentNode, 'offset' | 'length'>

/** A table under construction. */
interface Table {
  readonly extent: Extent
  readonly entries: Map<string, { readonly key: Extent; readonly value: Table | Tables | DocumentNode }>
}

/** An array of tables under construction. */
interface Tables {
  readonly extent: Extent
  readonly tables: Table[]
}

function addTo(root: Table, item: AST.TOMLKeyValue | AST.TOMLTable): void {
  if (item.type === 'TOMLKeyValue') return addPair(root, item)
  const table = openTable(root, item)
  for (const pair of item.body) addPair(table, pair)
}

function openTable(root: Table, { key, kind, range }: AST.TOMLTable): Table {
  const names = key.keys
  const last = names.at(-1)
  const parent = descend(root, kind === 'array' ? names.slice(0, -1) : names, extentOf(range))
  if (kind !== 'array' || last === undefined) return parent
  const table: Table = { extent: extentOf(range), entries: new Map() }
  const known = parent.entries.get(nameOf(last))?.value
  if (known !== undefined && 'tables' in known) known.tables.push(table)
  else setEntry(parent, last, { extent: extentOf(range), tables: [table] })
  return table
}

function addPair(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const last = key.keys.at(-1)
  if (last === undefined) return
  setEntry(descend(table, key.keys.slice(0, -1), extentOf(key.range)), last, contentOf(value))
}

function descend(table: Table, names: readonly (AST.TOMLBare | AST.TOMLQuoted)[], extent: Extent): Table {
  return names.reduce((parent, name) => {
    const known = parent.entries.get(nameOf(name))?.value
    if (known !== undefined && 'entries' in known) return known
    const newest = known !== undefined && 'tables' in known ? known.tables.at(-1) : undefined
    if (newest !== undefined) return newest
    const created: Table = { extent, entries: new Map() }
    setEntry(parent, name, created)
    return created
  }, table)
}

function setEntry(
  table: Table,
  key: AST.TOMLBare | AST.TOMLQuoted,
  value: Table | Tables | DocumentNode,
): void {
  table.entries.set(nameOf(key), { key: extentOf(key.range), value })
}

function contentOf(node: AST.TOMLContentNode): Table | DocumentNode {
  const extent = extentOf(node.range)
  switch (node.type) {
    case 'TOMLArray':
      return {
        type: 'array',
        ...extent,
        children: node.elements.map((element) => frozen(contentOf(element))),
      }
    case 'TOMLInlineTable': {
      const table: Table = { extent, entries: new Map() }
      for (const pair of node.body) addPair(table, pair)
      return table
    }
    case 'TOMLValue':
      return { ...scalarOf(node), ...extent }
  }
}

function scalarOf(node: AST.TOMLValue): Pick<DocumentNode, 'type' | 'value'> {
  switch (node.kind) {
    case 'string':
      return { type: 'string', value: node.value }
    case 'integer':
    case 'float':
      return { type: 'number', value: node.value }
    case 'boolean':
      return { type: 'boolean', value: node.value }
    case 'offset-date-time':
    case 'local-date-time':
    case 'local-date':
    case 'local-time':
      return { type: 'string', value: node.datetime }
  }
}

function frozen(value: Table | Tables | DocumentNode): DocumentNode {
  if ('tables' in value) return { type: 'array', ...value.extent, children: value.tables.map(frozen) }
  if (!('entries' in value)) return value
  const children = [...value.entries].map(([name, { key, value: inner }]): DocumentNode => {
    const valueNode = frozen(inner)
    const length = Math.max(0, valueNode.offset + valueNode.length - key.offset)
    return {
      type: 'property',
      offset: key.offset,
      length,
      children: [{ type: 'string', value: name, ...key }, valueNode],
    }
  })
  return { type: 'object', ...value.extent, children }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value
}

function extentOf([start, end]: readonly [number, number]): Extent {
  return { offset: start, length: end - start }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
