import { dialectNamed } from '../dialects/all.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type DocumentLocation, fieldOf, itemsOf } from '../documents/config-document.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { nameOfCommand, nameOfUrl } from './server-name.ts'

/** Fields by which one entry without a map around it is recognized, and the dialect that has them. The first match applies. */
const shapes: readonly {
  readonly key: string
  readonly type: 'string' | 'array'
  readonly dialect: string
}[] = [
  { key: 'httpUrl', type: 'string', dialect: 'gemini-cli' },
  { key: 'serverUrl', type: 'string', dialect: 'windsurf' },
  { key: 'cmd', type: 'string', dialect: 'goose' },
  { key: 'uri', type: 'string', dialect: 'goose' },
  { key: 'command', type: 'array', dialect: 'opencode' },
  { key: 'command', type: 'string', dialect: 'mcp-servers' },
  { key: 'url', type: 'string', dialect: 'mcp-servers' },
]

const nameField: FieldRule = {
  specFields: [],
  outcome: 'kept',
  note: 'the name',
  read: () => undefined,
}

/**
 * The dialect of a document that is one entry, as documentation often shows it. It is named by its field `name`, else by its
 * program or URL. Undefined if the document is something else.
 */
export function bareEntryDialect(root: DocumentLocation): Dialect | undefined {
  const shape = shapes.find(({ key, type }) => fieldOf(root, key)?.node.type === type)
  const dialect = shape && dialectNamed(shape.dialect)
  if (shape === undefined || dialect === undefined) return undefined
  return {
    ...dialect,
    root: {
      key: shape.key,
      fits: () => true,
      locate: () => [{ name: entryName(root, shape.key), location: root }],
      knownFields: 'any',
    },
    fields: { ...dialect.fields, name: nameField },
  }
}

function entryName(root: DocumentLocation, key: string): string {
  const written = textsOf(root, 'name')[0]?.trim()
  if (written) return written
  const words = [...textsOf(root, key), ...textsOf(root, 'args')]
  return key === 'command' || key === 'cmd' ? nameOfCommand(words) : nameOfUrl(words[0] ?? '')
}

/** The text of a field, or the texts of its list. */
function textsOf(root: DocumentLocation, key: string): readonly string[] {
  const field = fieldOf(root, key)
  const values = field === undefined ? [] : field.node.type === 'array' ? itemsOf(field) : [field]
  return values.flatMap(({ node }) => (typeof node.value === 'string' ? [node.value] : []))
}
