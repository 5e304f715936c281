import { localAuthority, openBridge } from '@toolbridge/bridge'

/** The name of the one server that a measure connects to. */
const server = 'bench'

const commons = {
  name: server,
  enabled: true,
  required: true,
  source: { file: 'bench', pointer: '' },
}

/**
 * One server behind a bridge with permission rules and a journal.
 *
 * @param {import('@toolbridge/bridge').ServerSpec} spec
 * @returns {Promise<import('./clients.mjs').Connection>}
 */
async function connect(spec) {
  let events = 0
  const bridge = await openBridge({
    servers: [spec],
    authority: localAuthority(),
    permissions: { mode: 'ask', allow: [`mcp://${server}/*`], deny: ['mcp://*/delete*'] },
    journal: () => {
      events += 1
    },
  })
  // Callers have the public name already, so it is not concatenated per call.
  const names = new Map(bridge.tools.map((tool) => [tool.rawName, tool.name]))
  const echo = names.get('echo') ?? 'echo'
  return {
    call: (name, given) => bridge.call(name === 'echo' ? echo : (names.get(name) ?? name), given),
    async listTools() {
      return bridge.tools
    },
    close: () => bridge.close(),
  }
}

/** @type {import('./clients.mjs').Adapter['connectStdio']} */
export function connectStdio(command, args) {
  return connect({ ...commons, transport: 'stdio', command, args, env: {} })
}

/** @type {import('./clients.mjs').Adapter['connectHttp']} */
export function connectHttp(url) {
  return connect({ ...commons, transport: 'http', url, headers: {} })
}
