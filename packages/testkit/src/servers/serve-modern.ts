import { parseArgs } from 'node:util'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  legacyStatelessFallback,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Answer } from './web-handler.ts'

type CreateServer = (bus?: ServerEventBus) => McpServer

/**
 * Serves over stdio, or with `--http` over Streamable HTTP on `--port` (0 = any), where `listening <url>` is printed
 * once. `--era modern` or `legacy` refuses the other era; `dual`, the default, serves both.
 */
export async function serveModern(create: CreateServer): Promise<void> {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      era: { type: 'string', default: 'dual' },
    },
  })
  if (values.http) {
    // Loaded on demand: a run starts many servers over stdio.
    const { listen } = await import('./web-handler.ts')
    listen(answerer(create, values.era), Number(values.port))
  } else if (values.era === 'legacy') await create().connect(new StdioServerTransport())
  else serveStdio(() => create(), { legacy: values.era === 'modern' ? 'reject' : 'serve' })
}

function answerer(create: CreateServer, era: string): Answer {
  if (era === 'legacy') return legacyStatelessFallback(() => create())
  const bus = new InMemoryServerEventBus()
  return createMcpHandler(() => create(bus), { bus, legacy: era === 'modern' ? 'reject' : 'stateless' }).fetch
}
