import { type DocumentLocation, fieldOf, fieldsOf } from '../documents/config-document.ts'
import { quoted } from '../fields/entry-reader.ts'
import { handedOnNames } from '../fields/environment.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { exactNames } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { dropped, flag, list, map, seconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { mapEntries } from './shapes.ts'

/** Allowed tools; an empty list allows all. */
const availableTools: FieldRule = {
  ...exactNames('allow'),
  note: 'an empty list allows all',
  read: (field, entry) => {
    exactNames('allow').read(field, entry)
    if (field.node.children?.length === 0) delete entry.specFields.allow
  },
}

const transportType = transport({ stdio: 'stdio', http: 'streamable_http', sse: 'sse' })

/** Extensions that are no MCP servers are left out by `locate`. */
const type: FieldRule = {
  ...transportType,
  read: (field, entry) => {
    if (typeof field.node.value === 'string') transportType.read(field, entry)
    else entry.invalid(field, quoted(field), 'a string')
  },
}

/** Goose: `extensions` of its YAML file, of which some are MCP servers. */
export const goose: Dialect = {
  name: 'goose',
  title: 'Goose',
  format: 'yaml',
  locations: [
    { scope: 'user', platforms: ['darwin', 'linux'], path: '~/.config/goose/config.yaml' },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Block/goose/config/config.yaml' },
  ],
  preset: {},
  facts: { 'config.roots': ['extensions'], 'vars.syntax': ['$NAME', '${NAME}'] },
  root: {
    key: 'extensions',
    fits: (root) => fieldOf(root, 'extensions') !== undefined,
    locate: (root, context) => {
      const extensions = fieldOf(root, 'extensions')
      const all = extensions === undefined ? [] : mapEntries(extensions, context)
      return all.filter(({ location }) => isServer(location))
    },
    knownFields: 'any',
  },
  fields: {
    type,
    cmd: text('command'),
    args: list('args'),
    envs: map('env'),
    env_keys: handedOnNames,
    uri: address(),
    headers: map('headers'),
    timeout: seconds('callMs'),
    enabled: flag('enabled'),
    available_tools: availableTools,
    name: { specFields: [], outcome: 'kept', note: 'shown to people', read: () => undefined },
    display_name: dropped('it is shown to people'),
    description: { specFields: [], outcome: 'kept', note: 'shown to people', read: () => undefined },
    bundled: dropped('it only says where Goose found the extension'),
  },
  variables: { everything: 'shell' },
  addressMeans: 'http',
}

function isServer(extension: DocumentLocation): boolean {
  const kind = fieldsOf(extension).find(({ key }) => key === 'type')?.node.value
  return kind === undefined || kind === 'stdio' || kind === 'sse' || kind === 'streamable_http'
}
