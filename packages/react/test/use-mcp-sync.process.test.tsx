import {
  createSyncStore,
  type GatewayClient,
  type GatewayRequestOptions,
  type MCPSync,
  type UseMCPSyncOptions,
  useMCPSync,
} from '@toolbridge/react'
import { act, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { useGateway } from './gateway.ts'
import { openPage } from './page.ts'

// Disabled, so that the gateway starts nothing.
const echo = { command: 'echo', args: ['--verbose'], disabled: true }
const clock = { url: 'https://clock.example/mcp', disabled: true }

const newPerson = useGateway()

let page: ReturnType<typeof openPage>
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  page = openPage()
})

test('loads on mount and merges what this browser has [S2-12] [S2-81] [S2-82] [S2-83]', async () => {
  const person = newPerson()
  await person.save({ echo })
  localStorage.setItem('toolbridge.mcp', JSON.stringify({ mcpServers: { clock } }))
  await using hook = await mount(person.client)
  expect(hook.renders[0]).toEqual(expect.objectContaining({ isLoading: true, mcpServers: { clock } }))
  await hook.until((sync) => !sync.isLoading)
  expect(hook.latest()).toEqual(
    expect.objectContaining({
      status: 'ready',
      error: null,
      version: 1,
      mcpServers: { echo, clock },
    }),
  )
})

test('saves when told, and only then [S2-84] [S2-81]', async () => {
  const person = newPerson()
  await using hook = await mount(person.client)
  await hook.until((sync) => !sync.isLoading)
  act(() => hook.latest().setLocal({ echo }))
  expect(hook.latest()).toEqual(expect.objectContaining({ mcpServers: { echo }, hasUnsavedChanges: true }))
  expect(await person.saved()).toEqual({ mcpServers: {} })
  await act(() => hook.latest().saveToBackend())
  expect(await person.saved()).toEqual({ mcpServers: { echo }, version: 1 })
  expect(hook.latest()).toMatchObject({ version: 1, hasUnsavedChanges: false })
})

test('a conflict is shown with both sides, and ends as the person chooses', async () => {
  const person = newPerson()
  await using hook = await mount(person.client)
  await hook.until((sync) => !sync.isLoading)
  await person.save({ clock })
  act(() => hook.latest().setLocal({ echo }))
  await act(() => hook.latest().saveToBackend())
  expect(hook.latest()).toEqual(
    expect.objectContaining({
      status: 'conflict',
      conflict: expect.objectContaining({ mcpServers: { clock } }),
      mcpServers: { echo },
    }),
  )
  await act(() => hook.latest().resolveConflict('theirs'))
  expect(hook.latest()).toEqual(expect.objectContaining({ status: 'ready', mcpServers: { clock, echo } }))
})

test('shows what another tab changes and saves, until it unmounts [S2-65]', async () => {
  const { client } = newPerson()
  await using hook = await mount(client)
  await hook.until((sync) => !sync.isLoading)
  const otherTab = createSyncStore({ client, storage: localStorage })
  otherTab.setLocal({ echo })
  tellOtherTabs()
  expect(hook.latest()).toEqual(
    expect.objectContaining({ mcpServers: { echo }, hasUnsavedChanges: true, version: 0 }),
  )
  await otherTab.saveToBackend()
  tellOtherTabs()
  expect(hook.latest()).toEqual(
    expect.objectContaining({ mcpServers: { echo }, hasUnsavedChanges: false, version: 1 }),
  )
  await hook[Symbol.asyncDispose]()
  const reads = countReads()
  tellOtherTabs()
  expect(reads()).toBe(0)
})

test('a conflict ends when it turns out that another tab saved', async () => {
  const { client } = newPerson()
  await using hook = await mount(client)
  await hook.until((sync) => !sync.isLoading)
  act(() => hook.latest().setLocal({ echo }))
  // Saved by a tab that has not stored the new version yet.
  await client.saveConfig({ mcpServers: { echo } })
  await act(() => hook.latest().saveToBackend())
  expect(hook.latest().status).toBe('conflict')
  const stored = { mcpServers: { echo }, unsaved: [], removed: [], version: 1, replaced: {} }
  localStorage.setItem('toolbridge.mcp', JSON.stringify(stored))
  tellOtherTabs()
  expect(hook.latest()).toMatchObject({
    status: 'ready',
    conflict: null,
    error: null,
    hasUnsavedChanges: false,
  })
})

test('a component that unmounts while loading ignores the answer', async () => {
  const person = newPerson()
  await person.save({ echo })
  const unmounted = deferred()
  const asked = deferred()
  const answers: Promise<unknown>[] = []
  const late = {
    ...person.client,
    // Without the signal, so that an answer arrives after the unmount.
    readConfig: (_options?: GatewayRequestOptions) => {
      asked.resolve()
      const answer = unmounted.promise.then(() => person.client.readConfig())
      answers.push(answer)
      return answer
    },
  }
  const hook = await mount(late)
  await act(() => asked.promise)
  await hook[Symbol.asyncDispose]()
  unmounted.resolve()
  expect(await Promise.all(answers)).not.toEqual([])
  // What follows the answer is done in the same task.
  await new Promise((resolve) => setTimeout(resolve))
  expect(localStorage.getItem('toolbridge.mcp')).toBeNull()
})

test('renders on a server, where there is no storage and nothing is loaded', () => {
  vi.unstubAllGlobals()
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

/** Browsers send this event to every other page of the origin; the test is the only page. */
function tellOtherTabs(): void {
  act(() => void page.dispatchEvent(new page.StorageEvent('storage', { key: 'toolbridge.mcp' })))
}

/** Counts the reads of stored settings from now on. */
function countReads(): () => number {
  const reading = vi.spyOn(page.Storage.prototype, 'getItem')
  onTestFinished(() => reading.mockRestore())
  return () => reading.mock.calls.length
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
