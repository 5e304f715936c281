/** Real MCP servers, run with plain `node`: what the tests of every package talk to. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Absolute paths of the built programs. */
export const fixtureServers: {
  readonly hello: string
  readonly elicit: string
  readonly hostile: string
  /** Takes `--era dual`, `modern` or `legacy`. */
  readonly modern: string
  /** Takes `--before exit`, `silent`, `late`, `odd` or `empty`. */
  readonly handshakeOnly: string
} = {
  hello: programPath('hello'),
  elicit: programPath('elicit'),
  hostile: programPath('hostile'),
  modern: programPath('modern'),
  handshakeOnly: programPath('handshake-only'),
}

export interface HttpFixtureOptions {
  /** Answer with plain JSON instead of event streams. */
  readonly json?: boolean
  /** Which eras the modern server serves; both if left out. */
  readonly era?: 'modern' | 'legacy'
}

export interface HttpFixture {
  readonly url: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a fixture server on a free port of the loopback interface; whoever starts it closes it. */
export async function startHttpFixture(
  name: 'hello' | 'elicit' | 'modern',
  options: HttpFixtureOptions = {},
): Promise<HttpFixture> {
  const era = options.era === undefined ? [] : ['--era', options.era]
  const flags = options.json === true ? [...era, '--json'] : era
  const child = spawn(process.execPath, [fixtureServers[name], '--http', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const started = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(20_000) }),
    exited.then(([code]) => Promise.reject(new Error(`fixture server ${name} exited with ${String(code)}`))),
  ]).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const url = String(started[0]).replace(/^listening /, '')
  return { url, close, [Symbol.asyncDispose]: close }
}

/** Runs a fixture server in this process on its end of a link; whoever runs it closes it. */
export async function runFixture(
  name: 'hello' | 'elicit',
  end: Transport,
): Promise<{ close(): Promise<void> }> {
  const server = await createFixture(name)
  await server.connect(end)
  return server
}

/** Loaded when needed: the SDK takes longer to load than most tests take to run. */
async function createFixture(name: 'hello' | 'elicit'): Promise<McpServer> {
  if (name === 'hello') return (await import('./hello-server.ts')).createHelloServer()
  return (await import('./elicit-server.ts')).createElicitServer()
}

function programPath(name: string): string {
  return fileURLToPath(new URL(`../../dist/servers/${name}.js`, import.meta.url))
}
