import { type DocumentLocation, fieldOf, itemsOf } from '../documents/config-document.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import { names } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, list, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { mapEntries, settingsAt, textsIn } from './shapes.ts'

const key = 'amp.mcpServers'

/** Amp: a key with a dot in settings, its own or those of VS Code. */
export const amp: Dialect = {
  name: 'amp',
  title: 'Amp',
  format: 'json',
  locations: [
    { scope: 'project', path: '.amp/settings.json', isUpward: true },
    { scope: 'user', path: '~/.config/amp/settings.json' },
  ],
  preset: {},
  facts: { 'config.roots': [key], 'vars.syntax': ['${NAME}'] },
  root: {
    key,
    fits: (root) => serversOf(root) !== undefined,
    locate: (root, context) => {
      const servers = serversOf(root)
      return servers === undefined ? [] : mapEntries(servers, context)
    },
    knownFields: 'any',
    beside: { deny: 'amp.tools.disable' },
    apply: (root, entries) => {
      denyDisabled(entries, settingsAt(root, 'amp.tools.disable').flatMap(textsIn))
      refuseRules(root, entries)
    },
  },
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
    includeTools: names('allow'),
    disabled,
  },
  variables: { everything: 'braced' },
  addressMeans: 'http',
}

/** Tools of Amp are named `builtin:<tool>`, those of servers `mcp__<server>__<tool>`. */
function denyDisabled(entries: readonly EntryReader[], names: readonly string[]): void {
  for (const { server, specFields } of entries) {
    const prefix = `mcp__${server}__`
    const own = names
      .filter(
        (name) => !name.startsWith('builtin:') && (!name.startsWith('mcp__') || name.startsWith(prefix)),
      )
      .map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
    if (own.length > 0) specFields.deny = own
  }
}

/** Rules about commands, URLs or arguments cannot be applied, so all servers are refused. */
function refuseRules(root: DocumentLocation, entries: readonly EntryReader[]): void {
  const isRestricting = (rule: DocumentLocation): boolean => fieldOf(rule, 'action')?.node.value !== 'allow'
  const rules = ['amp.mcpPermissions', 'amp.permissions'].flatMap((name) =>
    settingsAt(root, name).map((setting) => ({ name, setting })),
  )
  for (const { name, setting } of rules.filter((each) => itemsOf(each.setting).some(isRestricting)))
    for (const entry of entries)
      entry.refuse(setting, {
        code: 'field_restricts',
        message: `"${name}" has rules that restrict servers, which are not supported`,
        fix: 'use permission rules of Toolbridge, and define the server in its own file',
      })
}

function serversOf(root: DocumentLocation): DocumentLocation | undefined {
  return settingsAt(root, key)[0]
}
