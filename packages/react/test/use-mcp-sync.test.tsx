// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayRequestOptions,
  type MCPSync,
  type UseMCPSyncOptions,
  useMCPSync,
} from '@toolbridge/react'
import { act, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { type SettingsServer, startSettingsServer } from './settings-server.ts'

const echo = { command: 'echo', args: ['one'] }
const clock = { url: 'https://clock.example/mcp' }

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
})

test('loads on mount and merges what this browser has', async () => {
  await using server = await startSettingsServer([{ echo }])
  localStorage.setItem('toolbridge.mcp', JSON.stringify({ mcpServers: { clock } }))
  await using hook = await mount(clientOf(server))
  expect(hook.renders[0]).toMatchObject({ isLoading: true, mcpServers: { clock } })
  await hook.until((sync) => !sync.isLoading)
  expect(hook.latest()).toMatchObject({
    status: 'ready',
    error: null,
    version: 1,
    mcpServers: { echo, clock },
  })
})

test('saves when told, and only then', async () => {
  await using server = await startSettingsServer()
  await using hook = await mount(clientOf(server))
  await hook.until((sync) => !sync.isLoading)
  act(() => hook.latest().setLocal({ echo }))
  expect(hook.latest()).toMatchObject({ mcpServers: { echo }, hasUnsavedChanges: true })
  expect(server.saved).toEqual([])
  await act(() => hook.latest().saveToBackend())
  expect(server.saved).toEqual([{ echo }])
  expect(hook.latest()).toMatchObject({ version: 1, hasUnsavedChanges: false })
})

test('a conflict is shown with both sides, and ends as the person chooses', async () => {
  await using server = await startSettingsServer()
  await using hook = await mount(clientOf(server))
  await hook.until((sync) => !sync.isLoading)
  server.saved.push({ clock })
  act(() => hook.latest().setLocal({ echo }))
  await act(() => hook.latest().saveToBackend())
  expect(hook.latest()).toMatchObject({
    status: 'conflict',
    conflict: { mcpServers: { clock } },
    mcpServers: { echo },
  })
  await act(() => hook.latest().resolveConflict('theirs'))
  expect(hook.latest()).toMatchObject({ status: 'ready', mcpServers: { clock, echo } })
})

test('a component that unmounts while loading ignores the answer', async () => {
  await using server = await startSettingsServer([{ echo }])
  const client = clientOf(server)
  const answers: Promise<unknown>[] = []
  const unmounted = deferred()
  const late = {
    ...client,
    // The request is sent after the unmount, so only the signal can keep its answer from being stored.
    readConfig: (options?: GatewayRequestOptions) => {
      const answer = unmounted.promise.then(() => client.readConfig(options))
      answers.push(answer)
      return answer
    },
  }
  const hook = await mount(late)
  await until(() => answers.length > 0)
  await hook[Symbol.asyncDispose]()
  const renders = hook.renders.length
  unmounted.resolve()
  await Promise.allSettled(answers)
  await new Promise((resolve) => setTimeout(resolve))
  expect(hook.renders).toHaveLength(renders)
  expect(localStorage.getItem('toolbridge.mcp')).toBeNull()
})

test('renders on a server, where there is no storage and nothing is loaded', () => {
  expect(renderToString(<Probe onRender={() => undefined} />)).toBe('idle')
})

interface ProbeProps extends UseMCPSyncOptions {
  readonly onRender: (sync: MCPSync) => void
}

function Probe({ onRender, ...options }: ProbeProps) {
  const sync = useMCPSync(options)
  onRender(sync)
  return sync.status
}

function clientOf({ url }: SettingsServer): GatewayClient {
  return createGatewayClient({ baseUrl: url })
}

function deferred() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve: () => resolve() }
}

async function mount(client: GatewayClient) {
  const renders: MCPSync[] = []
  const root = createRoot(document.createElement('div'))
  const probe = <Probe client={client} onRender={(sync) => renders.push(sync)} />
  act(() => root.render(<StrictMode>{probe}</StrictMode>))
  return {
    renders,
    latest: () => renders.at(-1) as MCPSync,
    until: (isDone: (sync: MCPSync) => boolean) => until(() => isDone(renders.at(-1) as MCPSync)),
    [Symbol.asyncDispose]: async () => act(() => root.unmount()),
  }
}

/** Lets React work by itself while waiting for the network, as `act` cannot know when an answer arrives. */
async function until(isDone: () => boolean): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await expect.poll(isDone).toBe(true)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
}
