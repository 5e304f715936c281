import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectMcp, type McpConnection, type Root } from '../../src/index.ts'
import { Heard } from '../support/heard.ts'
import { officialServers } from '../support/official-servers.ts'

let folder: string
let connection: McpConnection | undefined

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'toolbridge-official-')))
})

afterEach(async () => {
  await connection?.close()
  connection = undefined
  await rm(folder, { recursive: true })
})

test('the official filesystem server works where the roots say, and elsewhere once they changed [F1 F10]', async () => {
  await writeFile(join(folder, 'note.txt'), 'milk')
  const roots: Root[] = []
  connection = await connectMcp(
    { command: process.execPath, args: [officialServers.filesystem, tmpdir()] },
    { roots: () => roots },
  )
  const { client } = connection
  roots.push({ uri: pathToFileURL(folder).href })
  await client.rootsChanged()
  await expect
    .poll(() => client.callTool('list_allowed_directories'))
    .toMatchObject({
      content: [{ text: expect.stringContaining(folder) }],
    })
  expect(await client.callTool('read_text_file', { path: join(folder, 'note.txt') })).toMatchObject({
    content: [{ text: 'milk' }],
  })
  const outside = await client.callTool('read_text_file', { path: '/etc/hostname' })
  expect(outside).toMatchObject({ isError: true })
})

test('the official memory server keeps a graph and tells subscribers that it changed [F1 F5 F6]', async () => {
  const heard = new Heard()
  const uri = 'memory://knowledge-graph'
  connection = await connectMcp(
    {
      command: process.execPath,
      args: [officialServers.memory],
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
    { onNotification: heard.take },
  )
  const { client } = connection
  expect((await client.listResources()).map((resource) => resource.uri)).toEqual([uri])
  await client.subscribeResource(uri)
  const entity = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }
  await client.callTool('create_entities', { entities: [entity] })
  expect(await heard.first('notifications/resources/updated')).toMatchObject({ uri })
  const { contents } = await client.readResource(uri)
  expect(JSON.stringify(contents)).toContain('wrote the first program')
  await client.unsubscribeResource(uri)
})
