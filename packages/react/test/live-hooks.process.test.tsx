import {
  createGatewayStore,
  GatewayProvider,
  useActivity,
  useConnection,
  useInbox,
  useServers,
  useTools,
} from '@toolbridge/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test } from 'vitest'
import { type Person, useGateway } from './gateway.ts'
import { openPage } from './page.ts'

// Disabled, so that the gateway starts nothing.
const echo = { command: 'echo', disabled: true }

const newPerson = useGateway()

beforeEach(() => {
  openPage()
})

function useEverything() {
  const servers = useServers()
  const [tools, inbox, activity] = [useTools(), useInbox(), useActivity()]
  return { servers, tools, inbox, activity, connection: useConnection() }
}

type Everything = ReturnType<typeof useEverything>

function mount({ client }: Pick<Person, 'client'>) {
  const renders: Everything[] = []
  function Page() {
    renders.push(useEverything())
    return null
  }
  const root = createRoot(document.createElement('div'))
  root.render(
    <StrictMode>
      <GatewayProvider client={client}>
        <Page />
      </GatewayProvider>
    </StrictMode>,
  )
  return {
    latest: () => renders.at(-1),
    until: (isSo: (now: Everything) => boolean) =>
      expect.poll(() => renders.slice(-1).some(isSo), { timeout: 60_000 }).toBe(true),
    [Symbol.dispose]: () => root.unmount(),
  }
}

test('shows what the gateway has, and what another browser changes', async () => {
  const person = newPerson()
  using page = mount(person)
  await page.until(
    ({ connection, servers, tools, inbox, activity }) =>
      connection === 'open' && [servers, tools, inbox, activity].every(({ isLoading }) => !isLoading),
  )
  expect(page.latest()).toMatchObject({
    servers: { data: [], error: null, isLoading: false },
    tools: { data: [] },
    inbox: { data: [] },
    activity: { data: [] },
  })
  await person.save({ echo })
  await page.until(({ servers }) => servers.data?.[0]?.name === 'echo')
})

test('a value is loaded once, when the event stream has begun', async () => {
  const person = newPerson()
  let loads = 0
  const store = createGatewayStore({
    ...person.client,
    inbox(options) {
      loads += 1
      expect(store.connection.getSnapshot()).toBe('open')
      return person.client.inbox(options)
    },
  })
  const ends = [store.inbox, store.servers].map(({ subscribe }) => subscribe(() => undefined))
  await expect.poll(() => store.inbox.getSnapshot().data).toEqual([])
  await person.save({ echo })
  await expect.poll(() => store.servers.getSnapshot().data).toMatchObject([{ name: 'echo' }])
  expect(loads).toBe(1)
  for (const end of ends) end()
})

test('a component outside of a provider is told where to put it', async () => {
  const messages: unknown[] = []
  const root = createRoot(document.createElement('div'), { onUncaughtError: (error) => messages.push(error) })
  function Lonely() {
    useServers()
    return null
  }
  root.render(<Lonely />)
  await expect.poll(() => String(messages[0]), { timeout: 60_000 }).toContain('<GatewayProvider>')
})
