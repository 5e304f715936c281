import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StoreKeysResponse, paths, type RotationStep } from '@toolbridge/api'
import { openKeyring } from '@toolbridge/lockbox'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, openStoreKeys, startGateway } from '../src/index.ts'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'

describe('the keys of a store', () => {
  let dataFolder: string
  let gateway: Gateway | undefined
  const key = 'a7'.repeat(32)
  const open = () => openStoreKeys({ dataFolder, key: { key } })
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'gateway-keys-'))
    const { location } = await openPgliteFromImage()
    await rename(location, join(dataFolder, 'lockbox'))
    gateway = await startGateway({ dataFolder, key: { key } })
    await saveConfig(gateway, 'one')
  })
  afterAll(async () => {
    await gateway?.close()
    await rm(dataFolder, { recursive: true, force: true })
  })

  test('come from the configured source: no key file is made', async () => {
    expect(await readdir(dataFolder)).not.toContain('key')
    const keys = await open()
    expect(keys.via).toBe('gateway')
    expect((await keys.status()).wrappingKeyId).toBe((await openKeyring({ key })).keyId)
  })

  test('are rotated by the running gateway, which serves on', async () => {
    const keys = await open()
    const steps: RotationStep[] = []
    const report = await keys.rotate({ onProgress: (step) => steps.push(step) })
    expect(report).toMatchObject({
      isComplete: true,
      newDataKeys: 1,
      keys: { rotation: { state: 'finished' } },
    })
    expect(steps.map(({ step }) => step)).toEqual(expect.arrayContaining(['keys', 'values']))
    if (gateway === undefined) throw new Error('the gateway does not run')
    expect(await readConfig(gateway)).toMatchObject({ mcpServers: { one: { disabled: true } } })
    await saveConfig(gateway, 'two')
    expect(await readConfig(gateway)).toMatchObject({ mcpServers: { two: { disabled: true } } })
  })

  test('are not replaced without a new key, and the reason is passed on', async () => {
    const keys = await open()
    await expect(keys.rotate({ keys: 'wrapping' })).rejects.toMatchObject({
      name: 'LockboxError',
      message: expect.stringContaining('give a new key, and this one as the previous key'),
    })
  })

  test('are shown and rotated for the token of the data folder only', async () => {
    if (gateway === undefined) throw new Error('the gateway does not run')
    const headers = await signedIn(gateway)
    expect((await fetch(gateway.url + paths.storeKeys, { headers })).status).toBe(401)
    expect((await fetch(gateway.url + paths.rotation, { method: 'POST', headers, body: '{}' })).status).toBe(
      401,
    )
    const { token } = JSON.parse(await readFile(join(dataFolder, 'owner-token'), 'utf8'))
    const owner = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const shown: StoreKeysResponse = await (
      await fetch(gateway.url + paths.storeKeys, { headers: owner })
    ).json()
    expect(shown.values.retired).toBe(0)
    const body = JSON.stringify({ keys: 'some' })
    const refused = await fetch(gateway.url + paths.rotation, { method: 'POST', headers: owner, body })
    expect(refused.status).toBe(422)
  })

  test('are opened in this process where no gateway runs, and rotated to another key', async () => {
    await gateway?.close()
    gateway = undefined
    const other = 'b8'.repeat(32)
    const keys = await openStoreKeys({ dataFolder, key: { key: other, previous: [key] } })
    expect(keys.via).toBe('store')
    expect(await keys.rotate({ keys: 'wrapping' })).toMatchObject({ isComplete: true, rewrappedKeys: 2 })
    await keys.close()
    await expect(open()).rejects.toMatchObject({ name: 'SealError', code: 'wrong_key' })
    gateway = await startGateway({ dataFolder, key: { key: other } })
    expect(await readConfig(gateway)).toMatchObject({ mcpServers: { two: { disabled: true } } })
  })
})

test('a folder without a store is refused, and nothing is created', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'gateway-keys-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const opening = openStoreKeys({ dataFolder })
  await expect(opening).rejects.toMatchObject({
    name: 'LockboxError',
    message: expect.stringContaining('has no store'),
  })
  await mkdir(join(dataFolder, 'lockbox'))
  await writeFile(join(dataFolder, 'owner-token'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 'x' }))
  await expect(openStoreKeys({ dataFolder })).rejects.toMatchObject({ name: 'LockboxError' })
  expect((await readdir(dataFolder)).toSorted()).toEqual(['lockbox', 'owner-token'])
})

test('a rotation stops when its caller leaves, and the next one continues', async () => {
  const lockbox = await openTestLockbox()
  const gateway = createTestGateway({ lockbox })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  for (const owner of ['ada', 'bob']) await lockbox.settings.save(owner, { namespace: 'n', name: 'm' }, owner)
  const response = await gateway.as('local').post(paths.rotation, {})
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(async () => (await lockbox.keys.rotate()).isComplete).toBe(true)
  expect(await lockbox.settings.read('ada', { namespace: 'n', name: 'm' })).toMatchObject({ value: 'ada' })
})

async function signedIn(gateway: Gateway): Promise<Record<string, string>> {
  const code = new URL(gateway.signInUrl()).hash.slice('#code='.length)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(gateway.url + paths.signIn, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  })
  const { token }: { token: string } = await response.json()
  return { ...headers, authorization: `Bearer ${token}` }
}

async function saveConfig(gateway: Gateway, name: string): Promise<void> {
  const body = JSON.stringify({ mcpServers: { [name]: { command: 'no-such-program', disabled: true } } })
  const headers = await signedIn(gateway)
  expect((await fetch(gateway.url + paths.config, { method: 'POST', headers, body })).status).toBe(200)
}

async function readConfig(gateway: Gateway): Promise<unknown> {
  return (await fetch(gateway.url + paths.config, { headers: await signedIn(gateway) })).json()
}
