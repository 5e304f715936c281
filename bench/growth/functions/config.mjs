/** The functions of `@toolbridge/bridge/config` that take text. */
import * as config from '@toolbridge/bridge/config'

const file = 'mcp.json'
/** @param {string} text */
const entry = (text) =>
  JSON.stringify({ mcpServers: { a: { command: text, args: [text], env: { A: text } } } })
/** @param {string} text */
const named = (text) => JSON.stringify({ mcpServers: { [text]: { command: 'a' } } })
/** @param {string} text */
const remote = (text) =>
  JSON.stringify({ mcpServers: { a: { url: `https://example.com/${text}`, headers: { A: text } } } })
/** @param {string} text */
const inArgs = (text) => `{"mcpServers":{"a":{"command":"a","args":[${text}`
/** @param {string} text */
const inYaml = (text) => `mcpServers:\n  a:\n    command: ${text}\n`
/** @param {string} text */
const inToml = (text) => `[mcp_servers.a]\ncommand = ${text}\n`
/** @param {string} text */
const unknownFields = (text) =>
  JSON.stringify({
    mcpServers: {
      a: {
        command: 'a',
        ...Object.fromEntries(
          text
            .slice(0, text.length / 2)
            .split('')
            .flatMap((_, index) =>
              index % 16 === 0 ? [[`${text.slice(index, index + 8)}${index}`, 1]] : [],
            ),
        ),
      },
    },
  })
/** @param {string} text */
const manyServers = (text) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(
      Array.from({ length: text.length / 32 }, (_, index) => [
        `${text.slice(index, index + 8)}${index}`,
        { command: 'a' },
      ]),
    ),
  })
/** @param {string} text */
const specs = (text) => config.readConfig(text, { file, dialect: 'mcp-servers' }).servers
const authority = /** @type {const} */ ({ kind: 'session' })

/**
 * The same function with the text in each place of a configuration.
 *
 * @param {string} name
 * @param {(text: string) => unknown} take
 */
function inEachPlace(name, take) {
  const places = { entry, named, remote, inArgs, inYaml, inToml, unknownFields, manyServers }
  return [
    { name, take },
    ...Object.entries(places).map(([place, write]) => ({ name: `${name}: ${place}`, prepare: write, take })),
  ]
}

/**
 * @param {string} name
 * @param {(servers: readonly import('@toolbridge/bridge').ServerSpec[]) => unknown} take
 */
function ofServers(name, take) {
  return [
    { name: `${name}: entry`, prepare: (/** @type {string} */ text) => specs(entry(text)), take },
    { name: `${name}: remote`, prepare: (/** @type {string} */ text) => specs(remote(text)), take },
    { name: `${name}: names`, prepare: (/** @type {string} */ text) => specs(named(text)), take },
    { name: `${name}: many`, prepare: (/** @type {string} */ text) => specs(manyServers(text)), take },
  ]
}

/** @type {import('../take.mjs').RowsOfEntries} */
export const rows = {
  '@toolbridge/bridge/config': [
    ...ofServers('answerVariables', (servers) =>
      servers.map((spec) => config.answerVariables(spec, new Map([['A', 'b']]))),
    ),
    ...ofServers('askedVariables', (servers) => servers.map(config.askedVariables)),
    { name: 'commandWords', take: (text) => config.commandWords(text, 'linux') },
    { name: 'commandWords: Windows', take: (text) => config.commandWords(text, 'win32') },
    { name: 'dialectTitle', take: config.dialectTitle },
    ...inEachPlace('editConfig', (text) => config.editConfig(text, { kind: 'remove', name: 'a' }, { file })),
    ...ofServers('entryHash', (servers) => servers.map(config.entryHash)),
    ...inEachPlace('explainConfig', (text) => config.explainConfig(text, { file })),
    ...inEachPlace('explainPasted', (text) => config.explainPasted(text, { authority: 'session' })),
    { name: 'explainPasted: command', take: (text) => config.explainPasted(`npx -y ${text}`) },
    {
      name: 'explainPasted: host command',
      take: (text) => config.explainPasted(`claude mcp add a -e A=${text} -- npx ${text}`),
    },
    { name: 'explainPasted: named entry', take: (text) => config.explainPasted(`"a": ${text}`) },
    ...ofServers('fieldDestination', (servers) =>
      servers.map((spec) => config.fieldDestination(spec, 'env.A')),
    ),
    { name: 'homeOf', take: (text) => config.homeOf({ HOME: text }) },
    {
      name: 'hostCommand',
      prepare: (text) => text.split(/[ ,\n]/),
      take: (words) => config.hostCommand(['claude', 'mcp', 'add', ...words]),
    },
    {
      name: 'hostCommand: one word',
      take: (text) => config.hostCommand(['claude', 'mcp', 'add', text, '-e', text, '--', text]),
    },
    { name: 'isHostCommand', take: (text) => config.isHostCommand([text, text, text]) },
    {
      name: 'isServerUrl',
      take: (text) => [config.isServerUrl(text), config.isServerUrl(`https://${text}`)],
    },
    {
      name: 'maskEntry',
      take: (text) =>
        config.maskEntry(
          {
            command: text,
            args: [text, `--token=${text}`],
            env: { [text]: text },
            headers: { A: text },
            url: `https://a/${text}`,
          },
          '…',
        ),
    },
    {
      name: 'maskEntry: value',
      prepare: JSON.parse,
      take: (value) => config.maskEntry({ command: 'a', args: [value], env: value, extra: value }, '…'),
    },
    ...ofServers('mayUseOAuth', (servers) => servers.map(config.mayUseOAuth)),
    ...ofServers('mergeConfigs', (servers) =>
      config.mergeConfigs([
        /** @type {any} */ ({
          file,
          scope: 'project',
          reading: { servers, issues: [], dialect: 'mcp-servers' },
        }),
      ]),
    ),
    {
      name: 'nameOfCommand',
      take: (text) => [config.nameOfCommand([text, text]), config.nameOfCommand(['npx', '-y', text])],
    },
    { name: 'nameOfPackage', take: config.nameOfPackage },
    {
      name: 'nameOfUrl',
      take: (text) => [config.nameOfUrl(`https://${text}`), config.nameOfUrl(`https://example.com/${text}`)],
    },
    ...inEachPlace('readConfig', (text) => config.readConfig(text, { file })),
    ...inEachPlace('readConfig (YAML)', (text) => config.readConfig(text, { file: 'a.yaml' })),
    ...inEachPlace('readConfig (TOML)', (text) => config.readConfig(text, { file: 'a.toml' })),
    ...ofServers('reportServers', (servers) =>
      config.reportServers(
        [
          /** @type {any} */ ({
            file,
            scope: 'context',
            reading: { servers, issues: [], dialect: 'mcp-servers' },
          }),
        ],
        { authority },
      ),
    ),
    ...ofServers('resolveSpec', (servers) =>
      Promise.all(servers.map((spec) => config.resolveSpec(spec, authority))),
    ),
    ...ofServers('reuseKey', (servers) =>
      servers.map((spec) => config.reuseKey(spec, { kind: 'local', env: {}, workspaceFolder: '/' })),
    ),
    ...ofServers('writeConfig', (servers) =>
      ['claude-code', 'codex', 'vscode'].map((dialect) => config.writeConfig(servers, { dialect })),
    ),
    { name: 'CommandLineError', take: (text) => new config.CommandLineError(text).toString() },
  ],
}
