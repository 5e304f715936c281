import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAuthority, openBridge } from '@toolbridge/bridge'
import { jsonLinesSink } from '@toolbridge/bridge/journal'
import { openTelemetry } from '@toolbridge/bridge/telemetry'

/** The name of the one server that a measure connects to. */
const server = 'bench'

const commons = {
  name: server,
  enabled: true,
  required: true,
  source: { file: 'bench', pointer: '' },
}

/**
 * The bridge with all listeners: a journal in a file, hooks, and telemetry without an exporter, and a server with a
 * secret.
 *
 * @param {import('@toolbridge/bridge').ServerSpec} spec
 * @returns {Promise<import('./clients.mjs').Connection>}
 */
async function connect(spec) {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-bench-'))
  const sink = jsonLinesSink(join(folder, 'journal.jsonl'))
  let calls = 0
  const bridge = await openBridge({
    servers: [spec],
    authority: localAuthority(),
    permissions: { mode: 'ask', allow: [`mcp://${server}/*`], deny: ['mcp://*/delete*'] },
    journal: sink.journal,
    hooks: {
      onMcpToolCall: () => {
        calls += 1
      },
    },
    telemetry: openTelemetry(),
  })
  return {
    call: (name, given) => bridge.call(`${server}__${name}`, given),
    async listTools() {
      return bridge.tools
    },
    async close() {
      await bridge.close()
      await sink.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** @type {import('./clients.mjs').Adapter['connectStdio']} */
export function connectStdio(command, args) {
  return connect({
    ...commons,
    transport: 'stdio',
    command,
    args,
    env: { TOKEN: 'a secret of the benchmark' },
  })
}

/** @type {import('./clients.mjs').Adapter['connectHttp']} */
export function connectHttp(url) {
  return connect({ ...commons, transport: 'http', url, headers: { 'x-key': 'a secret of the benchmark' } })
}
