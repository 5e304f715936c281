import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'

const testkit = createRequire(new URL('../../../testkit/package.json', import.meta.url))

/** The programs of the official servers, run with plain `node`. */
export const officialServers = {
  everything: testkit.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: testkit.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: testkit.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
} as const

/** Starts server-everything over Streamable HTTP; the caller closes it. */
export async function startEverythingOverHttp(): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, [officialServers.everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr })) if (/listening on port/.test(line)) break
  child.stderr.resume()
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** It does not say which port it got when asked for any, so one is looked up before. */
async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
