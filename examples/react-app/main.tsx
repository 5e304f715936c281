// A React application on an origin of its own that uses a gateway.
// Start the gateway with: toolbridge serve --allow-origin http://localhost:5173
// Create a key with:      toolbridge keys create my-app --scope api
import {
  createGatewayClient,
  type GatewayClient,
  GatewayProvider,
  useActivity,
  useInbox,
  useMCPSync,
  useServers,
  useTools,
} from '@toolbridge/react'
import { type FormEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'

function App() {
  const [client, setClient] = useState<GatewayClient>()
  const connect = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { gateway, key } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    // The key stays in the memory of the page.
    setClient(createGatewayClient({ baseUrl: gateway ?? '', token: () => key }))
  }
  if (client !== undefined)
    return (
      <GatewayProvider client={client}>
        <SavedServers client={client} />
        <RunningServers />
        <Tools />
        <Questions />
        <Calls />
      </GatewayProvider>
    )
  return (
    <form onSubmit={connect}>
      <input name="gateway" aria-label="Gateway" defaultValue="http://localhost:8787" />
      <input name="key" aria-label="Key" type="password" />
      <button type="submit">Connect</button>
    </form>
  )
}

function SavedServers({ client }: { readonly client: GatewayClient }) {
  const { mcpServers, setLocal, undo, canUndo, hasUnsavedChanges, error } = useMCPSync({
    client,
    autosaveMs: 500,
  })
  const remove = (removed: string): void =>
    setLocal(Object.fromEntries(Object.entries(mcpServers).filter(([name]) => name !== removed)))
  return (
    <section aria-label="Saved servers">
      {error !== null && <p role="alert">{error.message}</p>}
      {Object.keys(mcpServers).map((name) => (
        <p key={name}>
          {name} <button onClick={() => remove(name)}>Remove {name}</button>
        </p>
      ))}
      {canUndo && <button onClick={undo}>Undo</button>}
      <output>{hasUnsavedChanges ? 'Saving…' : 'Saved'}</output>
    </section>
  )
}

function RunningServers() {
  const { data: servers = [], restart } = useServers()
  return servers.map(({ name, state }) => (
    <p key={name}>
      {name} is {state} <button onClick={() => void restart(name)}>Restart {name}</button>
    </p>
  ))
}

function Tools() {
  const { data: tools = [], call } = useTools()
  return tools.map(({ name }) => (
    <p key={name}>
      <button onClick={() => void call({ tool: name, arguments: {} })}>Call {name}</button>
    </p>
  ))
}

function Questions() {
  const { data: questions = [], answer } = useInbox()
  return questions.map(({ id, message }) => (
    <p key={id}>
      {message} <button onClick={() => void answer(id, { action: 'decline' })}>Decline</button>
    </p>
  ))
}

function Calls() {
  const { data: calls = [] } = useActivity()
  return calls.map(({ id, tool, outcome }) => (
    <p key={id}>
      {tool}: {outcome}
    </p>
  ))
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
