import { editConfig, readConfig } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'

/** Servers with secrets wherever one can be, as in a file of Toolbridge. */
export const neighbours: Readonly<Record<string, object>> = {
  program: {
    command: 'no-such-program',
    args: [
      '--api-key',
      canary('argument'),
      `--token=${canary('flag')}`,
      `postgres://user:${canary('password')}@db.test/x`,
      canary('word'),
    ],
    env: { GITHUB_TOKEN: canary('environment'), PLAIN: canary('plain') },
  },
  remote: {
    type: 'http',
    url: `https://user:${canary('user')}@a.test/${canary('path')}?key=${canary('query')}#${canary('fragment')}`,
    headers: { Authorization: `Bearer ${canary('header')}`, 'X-Plain': canary('header value') },
  },
  last: { command: 'no-such-program', env: { LAST: canary('last') } },
}

/** Texts of one file by their layout. */
export type Layouts = Readonly<Record<string, string>>

const comment = canary('comment')

/** A host's JSON file with these servers, as hosts and people write it. */
export function jsonLayouts(file: string, dialect: string): Layouts {
  const text = prettyText(file, dialect)
  const value: unknown = JSON.parse(text)
  const program = '"no-such-program"'
  return {
    ...commonLayouts(text, '//'),
    'one line': JSON.stringify(value),
    'one line with spaces': JSON.stringify(value, null, 1).replaceAll(/\n */g, ' '),
    tabs: JSON.stringify(value, null, '\t'),
    'an unknown field': text.replace(program, `${program}, "unknown": "${canary('unknown')}"`),
    'a wrong value': text.replace('"GITHUB_TOKEN": "', '"WRONG": [1], "GITHUB_TOKEN": "'),
    truncated: text.slice(0, text.lastIndexOf(canary('last')) + canary('last').length),
  }
}

/** The TOML file of Codex with these servers. */
export function tomlLayouts(file: string): Layouts {
  const tables = Object.entries(neighbours).flatMap(([name, entry]) =>
    'command' in entry ? [`${name} = ${inlineTable(entry)}`] : [],
  )
  return {
    ...commonLayouts(prettyText(file, 'codex'), '#'),
    'one line': `mcp_servers = { ${tables.join(', ')} } # ${comment}\n`,
  }
}

function inlineTable(value: object): string {
  const fields = Object.entries(value).map(([key, item]: readonly [string, unknown]) => {
    const isTable = typeof item === 'object' && item !== null && !Array.isArray(item)
    return `${key} = ${isTable ? inlineTable(item) : JSON.stringify(item)}`
  })
  return `{ ${fields.join(', ')} }`
}

/** A YAML file of Continue with these servers. */
export const yamlLayouts: Layouts = yamlTexts()

function yamlTexts(): Layouts {
  const servers = Object.entries(neighbours).map(([name, entry]) => ({ name, ...entry }))
  const items = servers.map((server) => {
    const fields = Object.entries(server).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    return `  - ${fields.join('\n    ')}`
  })
  return {
    ...commonLayouts(`name: mine\nmcpServers:\n${items.join('\n')}\n`, '#'),
    'one line': `${JSON.stringify({ name: 'mine', mcpServers: servers })} # ${comment}\n`,
    'a wrong indentation': `name: mine\nmcpServers:\n${items.join('\n   ')}\n`,
  }
}

/** The text that Toolbridge writes. Some hosts have only programs. */
function prettyText(file: string, dialect: string): string {
  const text = JSON.stringify({ mcpServers: neighbours })
  const { servers } = readConfig(text, { file: 'x.json', dialect: 'mcp-servers' })
  return servers.reduce((before, server) => {
    try {
      return editConfig(before, { kind: 'add', server }, { file, dialect }).text
    } catch {
      return before
    }
  }, '')
}

function commonLayouts(text: string, sign: string): Layouts {
  return {
    pretty: text,
    'lines of Windows': text.replaceAll('\n', '\r\n'),
    commented: text
      .split('\n')
      .map((line) => (line === '' ? line : `${line} ${sign} ${comment}`))
      .join('\n'),
  }
}
