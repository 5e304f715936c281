import { chmod, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bridge, openBridge, toText } from '@toolbridge/bridge'
import {
  entryHash,
  fileTrustStore,
  memoryTrustStore,
  readConfig,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { permissive, plainServer } from '../servers/specs.ts'
import { callTool, createTestWorkflows } from '../servers/workflows.ts'

let folder: string
let bridge: Bridge | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-trust-'))
})
afterEach(async () => {
  await bridge?.close()
  await rm(folder, { recursive: true })
})

function fromProject(spec: ServerSpec, file = '/project/.toolbridge/mcp.json'): ServerSpec {
  return { ...spec, source: { ...spec.source, file, kind: 'project' } }
}

test('an entry of a project that nobody trusted is not started, for nobody [C19]', async () => {
  bridge = await openBridge(permissive([fromProject(plainServer('theirs')), plainServer('mine')]))
  expect(bridge.status()).toMatchObject([
    { name: 'mine', state: 'ready' },
    { name: 'theirs', state: 'untrusted', toolCount: 0, error: expect.stringContaining('/project/') },
  ])
  expect(bridge.processes().map(({ server }) => server)).toEqual(['mine'])
  await expect(bridge.resources.read('theirs', 'memo://a')).rejects.toMatchObject({ code: 'untrusted' })
  const other = { origin: { principal: 'bob', conversation: 'x' } }
  await expect(bridge.prompts.get('theirs', 'review', {}, other)).rejects.toMatchObject({ code: 'untrusted' })
})

test('once it is trusted it is started with the next change, though its definition is the same', async () => {
  const trust = memoryTrustStore()
  const spec = fromProject(plainServer('theirs'))
  bridge = await openBridge({ ...permissive([spec]), trust })
  await trust.trust(entryHash(spec), 'theirs')
  expect(await bridge.reload()).toMatchObject({ kept: [], started: ['theirs'], failed: [] })
  expect(toText(await bridge.call('theirs__echo', { text: 'x' }))).toBe('theirs x')
})

test('an entry that changed, or stands in another file, is another entry [C19]', async () => {
  const trust = fileTrustStore(folder)
  const spec = fromProject(plainServer('theirs'))
  await trust.trust(entryHash(spec), 'theirs')
  const changed = fromProject(plainServer('theirs', { NODE_OPTIONS: '--inspect' }))
  const elsewhere = fromProject(plainServer('theirs'), '/other/.toolbridge/mcp.json')
  for (const other of [changed, elsewhere]) {
    bridge = await openBridge({ ...permissive([other]), trust })
    expect(bridge.status()[0]?.state).toBe('untrusted')
    await bridge.close()
  }
  expect(entryHash({ ...spec, enabled: false })).toBe(entryHash(spec))
})

test('a toolkit of a file that nobody named is started once its entry is trusted, and not before', async () => {
  const { command, args, env } = plainServer('a', { CANARY: '' })
  const file = join(folder, 'mcp-secret.json')
  const text = JSON.stringify({ mcpServers: { a: { command, args, env } } })
  await writeFile(file, text)
  const trust = memoryTrustStore()
  await using mcp = createTestWorkflows({
    local: { kind: 'local', env: process.env, workspaceFolder: folder },
    clientOptions: () => ({ permissions: { mode: 'allow' }, trust }),
  })
  expect(Object.keys(await mcp.setupMCPForNode(['a'], 'w'))).toEqual([])
  expect(mcp.notices.map(({ message }) => message).join()).toContain('the entry is not trusted')
  const [spec] = readConfig(text, { file, dialect: 'lucky', kind: 'project' }).servers
  if (spec !== undefined) await trust.trust(entryHash(spec), 'a')
  const tools = await mcp.setupMCPForNode(['a'], 'w')
  expect(await callTool(tools, 'echo', { text: 'x' })).toBe('a x')
})

test('a required entry that is not trusted makes the bridge fail', async () => {
  const spec = { ...fromProject(plainServer('theirs')), required: true }
  await expect(openBridge(permissive([spec]))).rejects.toMatchObject({ code: 'untrusted' })
})

test('trust is kept for the owner alone, survives, and can be taken back', async () => {
  const hash = entryHash(plainServer('a'))
  const store = fileTrustStore(join(folder, 'trust'))
  expect(await store.isTrusted(hash)).toBe(false)
  await Promise.all([store.trust(hash, 'a'), fileTrustStore(join(folder, 'trust')).trust(hash, 'a again')])
  expect(await fileTrustStore(join(folder, 'trust')).isTrusted(hash)).toBe(true)
  const [file, another] = await readdir(join(folder, 'trust'))
  expect(another).toBeUndefined()
  const modes = await Promise.all([stat(join(folder, 'trust')), stat(join(folder, 'trust', String(file)))])
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600])
  await store.forget(hash)
  expect(await store.isTrusted(hash)).toBe(false)
})

test('what others could have written is not trust', async () => {
  const hash = entryHash(plainServer('a'))
  const store = fileTrustStore(folder)
  await store.trust(hash, 'a')
  for (const file of await readdir(folder)) await chmod(join(folder, file), 0o666)
  expect(await store.isTrusted(hash)).toBe(false)
})

test('a link to what a project brought is not trust, nor is what lies in a folder that others can change', async () => {
  const hash = entryHash(plainServer('a'))
  const store = fileTrustStore(join(folder, 'trust'))
  await store.trust(hash, 'a')
  const [file = ''] = await readdir(join(folder, 'trust'))
  await rename(join(folder, 'trust', file), join(folder, 'brought.json'))
  await symlink(join(folder, 'brought.json'), join(folder, 'trust', file))
  expect(await store.isTrusted(hash)).toBe(false)
  await store.trust(hash, 'a')
  expect(await store.isTrusted(hash)).toBe(true)
  await chmod(join(folder, 'trust'), 0o777)
  expect(await store.isTrusted(hash)).toBe(false)
  await expect(store.trust(hash, 'a')).rejects.toThrow('other users can change the files in')
})

test('trust that cannot be kept is an error that says where and why', async () => {
  await writeFile(join(folder, 'file'), '')
  const store = fileTrustStore(join(folder, 'file', 'trust'))
  await expect(store.trust(entryHash(plainServer('a')), 'a')).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^cannot create the folder .*file\/trust: .*; move that file away/),
  })
})

test('a store that fails has not agreed', async () => {
  const broken = { ...memoryTrustStore(), isTrusted: () => Promise.reject(new Error('disk full')) }
  bridge = await openBridge({ ...permissive([fromProject(plainServer('theirs'))]), trust: broken })
  expect(bridge.status()[0]?.state).toBe('untrusted')
})
