import type { ServerLogEntries, ServerLogEvent } from '@toolbridge/api'
import { type GatewayClient, useConnection, useGateway } from '@toolbridge/react'
import { useEffect, useState } from 'react'

const nothing: ServerLogEntries = { history: [], stderr: [], messages: [] }
/** As many as the gateway keeps. */
const limits = { history: 50, stderr: 500, messages: 300 }
const retryMs = 1_000

/** The log of a server while the component is shown; undefined until it arrives. */
export function useServerLog(name: string): ServerLogEntries | undefined {
  const gateway = useGateway()
  const isConnected = useConnection() === 'open'
  const [log, setLog] = useState<ServerLogEntries>()
  useEffect(() => {
    if (!isConnected) return undefined
    const left = new AbortController()
    const apply = (event: ServerLogEvent): void => setLog((before) => after(before, event))
    void follow(gateway, name, apply, left.signal)
    return () => left.abort()
  }, [gateway, name, isConnected])
  return log
}

async function follow(
  gateway: GatewayClient,
  name: string,
  apply: (event: ServerLogEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of gateway.serverLog(name, { signal })) apply(event)
    } catch {
      // The page says when the gateway does not respond, and when the server is gone.
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

function after(before: ServerLogEntries = nothing, event: ServerLogEvent): ServerLogEntries {
  if (event.type === 'begin') return event
  return {
    history: [...before.history, ...event.history].slice(-limits.history),
    stderr: [...before.stderr, ...event.stderr].slice(-limits.stderr),
    messages: [...before.messages, ...event.messages].slice(-limits.messages),
  }
}
