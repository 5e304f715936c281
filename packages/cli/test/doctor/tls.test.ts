import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useFolder } from '../folders.ts'
import { createAuthority } from '../../../client/test/certificates.ts'
import { runInProcess } from '../in-process.ts'
import { toolbridge } from '../transcript.ts'
import { answerMessages } from './fault-servers.ts'

const folder = useFolder()
let server: Server
afterEach(async () => {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
})

test('doctor names the fault "self-signed TLS" by its code, and its fix makes the stage pass [C32]', async () => {
  const authority = createAuthority()
  server = createServer(authority.issue('localhost'), answerMessages)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/mcp`
  const file = join(folder.path, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { odd: { type: 'http', url } } }))
  const broken = await runInProcess(['doctor', '--mcp', file])
  expect(broken.code).toBe(3)
  expect(broken.stdout).toContain('[tls_untrusted]')
  expect(broken.stdout).toContain(
    'fix: trust its authority: set NODE_EXTRA_CA_CERTS to the path of its certificate',
  )
  const trusted = join(folder.path, 'authority.pem')
  writeFileSync(trusted, authority.cert)
  // Node reads this variable when a process starts.
  const fixed = await toolbridge(['doctor', '--mcp', file], { env: { NODE_EXTRA_CA_CERTS: trusted } })
  expect(fixed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/tls: TLSv1\.\d, certificate of Authority of a test\n {2}session: yes/),
  })
})
