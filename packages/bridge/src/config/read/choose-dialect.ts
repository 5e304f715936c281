import { suggestName } from '@toolbridge/client/internal'
import { dialectNamed, dialects } from '../dialects/all.ts'
import type { ConfigLocation, Dialect } from '../dialects/dialect.ts'
import { descend } from '../dialects/shapes.ts'
import { bareToolbridge } from '../dialects/toolbridge.ts'
import {
  type ConfigDocument,
  type DocumentLocation,
  type Finding,
  fieldOf,
  fieldsOf,
  repeatedFields,
} from '../documents/config-document.ts'
import { isDialectField, knownRootFields } from './root-fields.ts'
import { containsServers, type ServerRoot, serverKeys, serverRootsIn } from './server-roots.ts'

/** Why no dialect could be chosen. */
export interface DialectProblem {
  readonly location: DocumentLocation
  readonly finding: Finding
}

/** Chooses the dialect of a document: by name, else by its field `dialect`, else by the path of the file, else by shape. */
export function chooseDialect(
  { root }: ConfigDocument,
  { file, dialect: name }: { readonly file: string; readonly dialect?: string },
): Dialect | DialectProblem {
  if (root.node.type !== 'object' && root.node.type !== 'array') return notAnObject(root)
  const fields = fieldsOf(root)
  const repeated = repeatedFields(fields).find(({ key }) => rootKeys.has(key))
  if (repeated !== undefined) {
    return dialectProblem(
      repeated,
      'root_ambiguous',
      `"${repeated.key}" is set twice in the document`,
      'merge the two',
    )
  }
  if (name !== undefined) return namedDialect(root, name, root)
  const named = dialectField(root, file)
  if (named !== undefined) return namedDialect(root, named.name, named.location)
  const locations = serverRootsIn(root)
  const [, second] = locations
  if (second !== undefined) return twoRoots(locations, second)
  return byPath(root, file) ?? byShape(root) ?? withoutServers(file) ?? missing(root)
}

const rootKeys: ReadonlySet<string> = new Set([
  ...serverKeys,
  'mcp',
  'projects',
  'metadata',
  'inputs',
  'tools',
  'permission',
])

function twoRoots(locations: readonly ServerRoot[], { location: second }: ServerRoot): DialectProblem {
  const names = locations.map(({ name }) => `"${name}"`)
  const message = `the document has both ${names.join(' and ')}`
  const { location, finding } = dialectProblem(
    second,
    'root_ambiguous',
    message,
    'keep one of them, with all servers in it',
  )
  const kinds = { found: 'two keys with servers', expected: 'one key with servers' }
  return { location, finding: { ...finding, ...kinds } }
}

/** The dialect that a document itself names. In a settings file of a host, the field may mean anything and is not read. */
export function dialectField(
  root: DocumentLocation,
  file: string,
): { readonly name: string; readonly location: DocumentLocation } | undefined {
  const location = fieldsOf(root).find(isDialectField)
  if (location === undefined || withoutServers(file) !== undefined) return undefined
  return { name: String(location.node.value), location }
}

/** `location` is where the name is written. */
function namedDialect(
  root: DocumentLocation,
  name: string,
  location: DocumentLocation,
): Dialect | DialectProblem {
  const dialect = dialectNamed(name)
  if (dialect === undefined) return { location, finding: unknownDialect(name) }
  if (dialect.root.fits(root)) return dialect
  const { key } = dialect.root
  const misspelled = misspelledRoot(root, [key])
  return dialectProblem(
    misspelled?.location ?? root,
    'root_missing',
    `the document defines no servers for ${dialect.title}`,
    misspelled?.fix ?? `put them under ${key}`,
  )
}

/** The finding about a name that no dialect has. */
export function unknownDialect(name: string): Finding {
  const known = dialects.map((each) => each.name)
  const fix = [suggestName(name, known), `use one of: ${known.join(', ')}`].filter(Boolean).join(' ')
  return { code: 'dialect_unknown', severity: 'error', message: `unknown dialect "${name}"`, fix }
}

function byPath(root: DocumentLocation, file: string): Dialect | undefined {
  return dialects.find((dialect) => isFileOf(dialect, file) && dialect.root.fits(root))
}

/** A settings file of a host may define no servers. */
function withoutServers(file: string): Dialect | undefined {
  return dialects.find((dialect) => isFileOf(dialect, file) && knownRootFields(dialect.root, file) === 'any')
}

function isFileOf({ locations }: Dialect, file: string): boolean {
  return locations.some((location) => isConfigLocation(file, location))
}

/** Reports whether a file is at a location where a host keeps its configuration. */
export function isConfigLocation(file: string, { path }: ConfigLocation): boolean {
  const tail = path.replace(/^(?:(?:~|%\w+%)?\/)?/, '')
  const name = file.replaceAll('\\', '/')
  // Most locations are ruled out by this: building a pattern for each of them takes milliseconds.
  if (!name.endsWith(tail.slice(tail.lastIndexOf('*') + 1))) return false
  const pattern = tail.split('*').map(escapedForPattern).join('[^/]*')
  return new RegExp(`(?:^|/)${pattern}$`).test(name)
}

function escapedForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Shapes that identify a dialect when the path does not. The first match applies. */
const shapes: readonly { readonly dialect: string; readonly fits: (root: DocumentLocation) => boolean }[] = [
  { dialect: 'zed', fits: (root) => fieldOf(root, 'context_servers') !== undefined },
  { dialect: 'codex', fits: (root) => fieldOf(root, 'mcp_servers') !== undefined },
  { dialect: 'agent-apps', fits: (root) => descend(root, ['metadata', 'mcp']) !== undefined },
  { dialect: 'core-agent', fits: (root) => hasServers(root) && fieldOf(root, 'version') !== undefined },
  { dialect: 'vscode', fits: hasServers },
  { dialect: 'continue', fits: (root) => fieldOf(root, 'mcpServers')?.node.type === 'array' },
  { dialect: 'mcporter', fits: (root) => hasMap(root) && fieldOf(root, 'imports') !== undefined },
  { dialect: 'gemini-cli', fits: (root) => anyEntryHas(root, ['httpUrl', 'includeTools', 'excludeTools']) },
  {
    dialect: 'gemini-cli',
    fits: (root) =>
      hasMap(root) && ['allowed', 'excluded'].some((key) => descend(root, ['mcp', key]) !== undefined),
  },
  { dialect: 'claude-code', fits: (root) => anyEntryHas(root, ['headersHelper']) },
  { dialect: 'windsurf', fits: (root) => anyEntryHas(root, ['serverUrl']) },
  { dialect: 'mcp-servers', fits: hasMap },
  { dialect: 'vscode', fits: (root) => hasUsualEntries(root, ['mcp', 'servers']) },
  { dialect: 'opencode-v2', fits: (root) => descend(root, ['mcp', 'servers']) !== undefined },
  { dialect: 'crush', fits: (root) => hasUsualEntries(root, ['mcp']) },
  { dialect: 'opencode', fits: (root) => fieldOf(root, 'mcp') !== undefined },
  { dialect: 'claude-code', fits: (root) => fieldOf(root, 'projects') !== undefined },
  { dialect: 'goose', fits: hasExtensions },
  {
    dialect: 'llm-sdk',
    fits: (root) =>
      (root.node.type === 'array' && root.node.children?.length !== 0) ||
      typeof fieldOf(root, 'command')?.node.value === 'string' ||
      typeof fieldOf(root, 'url')?.node.value === 'string',
  },
]

function byShape(root: DocumentLocation): Dialect | undefined {
  const shape = shapes.find(({ fits }) => fits(root))
  if (shape !== undefined) return dialectNamed(shape.dialect)
  return bareToolbridge.root.fits(root) ? bareToolbridge : undefined
}

function hasServers(root: DocumentLocation): boolean {
  return fieldOf(root, 'servers') !== undefined
}

function hasMap(root: DocumentLocation): boolean {
  return fieldOf(root, 'mcpServers') !== undefined
}

/** Reports whether entries name a transport or a program as most hosts do, and as opencode does not. */
function hasUsualEntries(root: DocumentLocation, path: readonly string[]): boolean {
  const servers = descend(root, path)
  return servers !== undefined && fieldsOf(servers).some(isUsualEntry)
}

function isUsualEntry(entry: DocumentLocation): boolean {
  const type = fieldOf(entry, 'type')?.node.value
  const isNamed = type === 'stdio' || type === 'http' || type === 'sse'
  return isNamed || typeof fieldOf(entry, 'command')?.node.value === 'string'
}

/** Extensions of Goose; other programs have extensions too. */
function hasExtensions(root: DocumentLocation): boolean {
  const extensions = fieldOf(root, 'extensions')
  return extensions !== undefined && fieldsOf(extensions).some(isExtensionServer)
}

function isExtensionServer(extension: DocumentLocation): boolean {
  return ['cmd', 'uri'].some((key) => typeof fieldOf(extension, key)?.node.value === 'string')
}

function anyEntryHas(root: DocumentLocation, keys: readonly string[]): boolean {
  const servers = fieldOf(root, 'mcpServers')
  return (
    servers !== undefined &&
    fieldsOf(servers).some((entry) => keys.some((key) => fieldOf(entry, key) !== undefined))
  )
}

function missing(root: DocumentLocation): DialectProblem {
  if (root.node.type === 'array') return notAnObject(root)
  const misspelled = misspelledRoot(root, [...serverKeys])
  return dialectProblem(
    misspelled?.location ?? root,
    'root_missing',
    'the document defines no servers',
    misspelled?.fix ?? 'add "mcpServers": { … } (or "servers")',
  )
}

/** A field with servers whose name is nearly one that is read. */
function misspelledRoot(
  root: DocumentLocation,
  names: readonly string[],
): { readonly location: DocumentLocation; readonly fix: string } | undefined {
  const [found] = fieldsOf(root).flatMap((location) => {
    const fix = containsServers(location) ? suggestName(location.key, names) : undefined
    return fix === undefined ? [] : [{ location, fix }]
  })
  return found
}

function notAnObject(root: DocumentLocation): DialectProblem {
  return dialectProblem(
    root,
    'root_invalid',
    'the document must be an object',
    'write { "mcpServers": { … } }',
  )
}

function dialectProblem(
  location: DocumentLocation,
  code: string,
  message: string,
  fix: string,
): DialectProblem {
  return { location, finding: { code, severity: 'error', message, fix } }
}
