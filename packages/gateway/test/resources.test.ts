import {
  paths,
  type Problem,
  type PromptsResponse,
  type ResourcesResponse,
  type SubscribeResourceResponse,
} from '@toolbridge/api'
import type { PermissionRules } from '@toolbridge/bridge'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inMemory } from '../../bridge/test/servers/in-memory.ts'
import { readEvents } from './support/events.ts'
import { connectHost } from './support/host.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { createLibrary, type Library } from './support/library-server.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { questionsOf, textOf, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

interface Opened extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly library: Library
  readonly local: Caller
}

/** A gateway whose operator has a library and a server that asks. */
async function open(permissions: PermissionRules = { mode: 'allow' }): Promise<Opened> {
  const library = createLibrary()
  const gateway = createTestGateway({
    lockbox,
    permissions,
    transportOf: library.transportOf,
    operatorServers: [
      { ...inMemory('hello', 'library'), command: 'library', args: [] },
      inMemory('worldly', 'worldly'),
    ],
  })
  const local = gateway.as('local')
  await untilServer(local, 'library', 'ready')
  await untilServer(local, 'worldly', 'ready')
  return { gateway, library, local, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

async function codeOf(response: Response): Promise<string> {
  const { code, status }: Problem = await response.json()
  return `${status} ${code}`
}

const greet = { server: 'library', name: 'greet', arguments: { who: 'Ada' } }
const openText = { server: 'library', uri: 'file:///open.txt' }
const secret = { server: 'library', uri: 'file:///secret.txt' }

test('resources, templates and prompts of the servers are listed, read and completed', async () => {
  await using opened = await open()
  const { local } = opened
  expect(await (await local.get(paths.resources)).json()).toEqual({
    resources: [
      { server: 'library', uri: 'file:///open.txt', name: 'open', mimeType: 'text/plain', size: 4 },
      { server: 'library', uri: 'file:///secret.txt', name: 'secret' },
    ],
    templates: [{ server: 'library', uriTemplate: 'file:///{name}.txt', name: 'texts', title: 'Texts' }],
  })
  expect(await (await local.get(paths.prompts)).json()).toEqual({
    prompts: [
      { server: 'library', name: 'greet', arguments: [{ name: 'who', required: true }] },
      { server: 'library', name: 'hidden' },
    ],
  })
  expect(await (await local.post(paths.readResource, openText)).json()).toMatchObject({
    contents: [{ uri: 'file:///open.txt', text: 'text' }],
  })
  expect(await (await local.post(paths.getPrompt, greet)).json()).toMatchObject({
    messages: [{ role: 'user', content: { text: 'Hello, Ada' } }],
  })
  const completion = await local.post(paths.complete, {
    server: 'library',
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: 'al' },
  })
  expect(await completion.json()).toEqual({ values: ['alan'], hasMore: false })
})

test('a server that the caller does not have is a 404', async () => {
  await using opened = await open()
  for (const path of [paths.readResource, paths.getPrompt]) {
    const body = path === paths.getPrompt ? greet : openText
    expect(await codeOf(await opened.gateway.as('ada').post(path, body))).toBe('404 unknown_server')
  }
})

test('a resource and a prompt that rules deny are neither listed nor read nor completed [C28]', async () => {
  await using opened = await open({
    mode: 'yolo',
    deny: ['resource://library/file:///secret*', 'prompt://library/hidden'],
  })
  const { local, library } = opened
  const { resources }: ResourcesResponse = await (await local.get(paths.resources)).json()
  expect(resources.map(({ name }) => name)).toEqual(['open'])
  const { prompts }: PromptsResponse = await (await local.get(paths.prompts)).json()
  expect(prompts.map(({ name }) => name)).toEqual(['greet'])
  const hidden = { server: 'library', name: 'hidden' }
  const completion = {
    server: 'library',
    ref: { type: 'ref/prompt', name: 'hidden' },
    argument: { name: 'x', value: '' },
  }
  expect(await codeOf(await local.post(paths.readResource, secret))).toBe('403 denied')
  expect(await codeOf(await local.post(paths.getPrompt, hidden))).toBe('403 denied')
  expect(await codeOf(await local.post(paths.complete, completion))).toBe('403 denied')
  expect(library.asked).toEqual([])
})

test('a rule that denies a server denies all that it provides [C28]', async () => {
  await using opened = await open({ mode: 'yolo', deny: ['resource://library/*', 'prompt://library/*'] })
  const { local, library } = opened
  expect(await (await local.get(paths.resources)).json()).toEqual({ resources: [], templates: [] })
  expect(await (await local.get(paths.prompts)).json()).toEqual({ prompts: [] })
  expect(await codeOf(await local.post(paths.readResource, openText))).toBe('403 denied')
  expect(await codeOf(await local.post(paths.getPrompt, greet))).toBe('403 denied')
  expect(library.asked).toEqual([])
})

test('a request of the console needs no approval where rules ask for one', async () => {
  await using opened = await open({ mode: 'allow', ask: ['resource://library/*'] })
  expect((await opened.local.post(paths.readResource, openText)).status).toBe(200)
})

const question = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}

test('a question that rules deny reaches nobody, however the call was made [C28]', async () => {
  await using listening = await listenTestGateway({
    lockbox,
    permissions: { mode: 'allow', deny: ['elicitation://worldly/*'] },
    operatorServers: [inMemory('worldly', 'worldly')],
  })
  const local = listening.gateway.as('local')
  await untilServer(local, 'worldly', 'ready')
  const call = { tool: 'worldly__ask', arguments: { params: question } }
  expect(await textOf(await local.post(paths.call, call))).toContain('decline')
  await using host = await connectHost(listening.url)
  const answered = await host.client.callTool({ name: call.tool, arguments: call.arguments })
  expect(JSON.stringify(answered)).toContain('decline')
  expect(await questionsOf(local)).toEqual([])
})

test('a server cannot use a model of the gateway: sampling is not offered [C28]', async () => {
  await using opened = await open()
  const think = { tool: 'worldly__think', arguments: { params: { messages: [], maxTokens: 10 } } }
  const response = await opened.local.post(paths.call, think)
  expect(await response.text()).not.toContain('"role"')
})

test('a person hears of changes of a resource that they subscribed to, until they end it or it expires', async () => {
  await using opened = await open()
  const { local, library, gateway } = opened
  const events = readEvents(await local.get(paths.events))
  const others = readEvents(await gateway.as('bob').get(paths.events))
  await others.next('hello')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const subscribe = (): Promise<Response> => local.post(paths.subscribeResource, openText)
  const { expiresAt }: SubscribeResourceResponse = await (await subscribe()).json()
  expect(Date.parse(expiresAt)).toBe(Date.now() + 120_000)
  library.update('file:///secret.txt')
  library.update(openText.uri)
  const heard = { type: 'resource', ...openText }
  expect(await events.next('resource')).toEqual({ ...heard, change: 'updated' })

  vi.advanceTimersByTime(119_000)
  await subscribe()
  vi.advanceTimersByTime(119_000)
  library.update(openText.uri)
  expect(await events.next('resource')).toEqual({ ...heard, change: 'updated' })
  expect(library.asked.filter((each) => each.startsWith('resources/subscribe'))).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(await events.next('resource')).toEqual({ ...heard, change: 'ended' })

  await subscribe()
  await local.post(paths.unsubscribeResource, openText)
  expect(await events.next('resource')).toEqual({ ...heard, change: 'ended' })
  await subscribe()
  library.hangUp()
  expect(await events.next('resource')).toEqual({ ...heard, change: 'ended' })

  gateway.services.events.publish('bob', { type: 'inbox' })
  expect(await others.next()).toEqual({ type: 'inbox' })
  await Promise.all([events.cancel(), others.cancel()])
})

test('a resource that rules deny, or whose server has no subscriptions, cannot be subscribed to', async () => {
  await using opened = await open({ mode: 'allow', deny: ['resource://library/file:///secret*'] })
  const { local, gateway } = opened
  const heard: unknown[] = []
  gateway.services.events.subscribe('local', (event) => event.type === 'resource' && heard.push(event))
  expect(await codeOf(await local.post(paths.subscribeResource, secret))).toBe('403 denied')
  const worldly = { server: 'worldly', uri: 'file:///open.txt' }
  expect(await codeOf(await local.post(paths.subscribeResource, worldly))).toBe('502 unsupported')
  expect(heard).toEqual([])
  for (let index = 0; index < 32; index += 1) {
    const resource = { server: 'library', uri: `file:///${index}.txt` }
    expect((await local.post(paths.subscribeResource, resource)).status).toBe(200)
  }
  expect(await codeOf(await local.post(paths.subscribeResource, openText))).toBe('409 too_many_subscriptions')
})

test('a subscription that ended with the token that opened it is opened again by another token of the person', async () => {
  await using opened = await open()
  const { local, library, gateway } = opened
  const { token } = await gateway.services.tokens.signIn({ id: 'local', role: 'owner' })
  const other = gateway.with(token)
  const events = readEvents(await local.get(paths.events))
  await other.post(paths.subscribeResource, openText)
  await other.delete(paths.signIn)
  expect(await events.next('resource')).toMatchObject({ ...openText, change: 'ended' })
  expect((await local.post(paths.subscribeResource, openText)).status).toBe(200)
  library.update(openText.uri)
  expect(await events.next('resource')).toMatchObject({ ...openText, change: 'updated' })
  await events.cancel()
})

test('rules that are changed to deny a resource end its subscription, which cannot be renewed [C28]', async () => {
  await using opened = await open()
  const { local, library, gateway } = opened
  const events = readEvents(await local.get(paths.events))
  await local.post(paths.subscribeResource, openText)
  await local.post(paths.subscribeResource, secret)
  await gateway.services.applyPermissions({ mode: 'allow', deny: ['resource://library/*'] })
  library.update(secret.uri)
  expect(await events.next('resource')).toMatchObject({ ...secret, change: 'ended' })
  expect(await codeOf(await local.post(paths.subscribeResource, openText))).toBe('403 denied')
  expect(await events.next('resource')).toMatchObject({ ...openText, change: 'ended' })
  await events.cancel()
})
