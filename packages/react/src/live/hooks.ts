import type {
  ActivityEntry,
  AnswerRequest,
  AnswerResponse,
  CallToolRequest,
  CallToolResponse,
  GatewayEvent,
  InboxItem,
  PromptSummary,
  ReadResourceRequest,
  ResourcesResponse,
  RestartResponse,
  ServerStatus,
  StartCallResponse,
  StartedCall,
  ToolSummary,
} from '@toolbridge/api'
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { EventStreamState } from '../follow-events.ts'
import type { GatewayClient, GatewayRequestOptions } from '../gateway-client.ts'
import { createGatewayStore, type GatewayStore } from './gateway-store.ts'
import type { LiveSnapshot, LiveValue } from './live-value.ts'
import { ResourceFollower } from './resource-follower.ts'

interface Gateway {
  readonly client: GatewayClient
  readonly store: GatewayStore
}

const GatewayContext = createContext<Gateway | null>(null)

/** Properties of `GatewayProvider`. */
export interface GatewayProviderProps {
  /** Client of the gateway. Create it once, outside of the component. */
  readonly client: GatewayClient
  /** What is loaded from the gateway. Default: a store of this provider. */
  readonly store?: GatewayStore
  /** Components that use the gateway. */
  readonly children?: ReactNode
}

/** Gives a gateway to `useServers`, `useTools`, `useCalls`, `useInbox` and `useActivity`. */
export function GatewayProvider({ client, store, children }: GatewayProviderProps): ReactElement {
  const value = useMemo(() => ({ client, store: store ?? createGatewayStore(client) }), [client, store])
  return createElement(GatewayContext.Provider, { value }, children)
}

/** Returns the client of the nearest `GatewayProvider`. */
export function useGateway(): GatewayClient {
  return useGatewayContext().client
}

/** Result of a hook that shows something of the gateway. */
export interface Live<T> extends LiveSnapshot<T> {
  /** Loads it again. Not needed for changes, which arrive by themselves. */
  readonly reload: () => Promise<void>
}

/** Result of `useServers`. */
export interface LiveServers extends Live<readonly ServerStatus[]> {
  /** Restarts a server. Resolves before it has started. */
  readonly restart: (server: string, options?: GatewayRequestOptions) => Promise<RestartResponse>
}

/** Status of every server, kept current. */
export function useServers(): LiveServers {
  const { client, store } = useGatewayContext()
  const { reload } = store.servers
  return {
    ...useLive(store.servers),
    restart: (server, options) => client.restart(server, options).finally(() => void reload()),
  }
}

/** Result of `useTools`. */
export interface LiveTools extends Live<readonly ToolSummary[]> {
  /** Calls a tool. */
  readonly call: (request: CallToolRequest, options?: GatewayRequestOptions) => Promise<CallToolResponse>
}

/** Tools of the servers that are ready, kept current. */
export function useTools(): LiveTools {
  const { client, store } = useGatewayContext()
  return { ...useLive(store.tools), call: (request, options) => client.callTool(request, options) }
}

/** Result of `useCalls`. */
export interface LiveCalls extends Live<readonly StartedCall[]> {
  /** Starts a call of a tool, which continues when the page is closed. */
  readonly start: (request: CallToolRequest, options?: GatewayRequestOptions) => Promise<StartCallResponse>
  /** Cancels a call, unless it has ended. */
  readonly cancel: (id: string, options?: GatewayRequestOptions) => Promise<unknown>
}

/** Started calls that are running or ended recently, oldest first, kept current. `startedCall` of the client has their results. */
export function useCalls(): LiveCalls {
  const { client, store } = useGatewayContext()
  const { reload } = store.calls
  return {
    ...useLive(store.calls),
    start: (request, options) => client.startCall(request, options).finally(() => void reload()),
    cancel: (id, options) => client.cancelCall(id, options),
  }
}

/** Result of `useInbox`. */
export interface LiveInbox extends Live<readonly InboxItem[]> {
  /** Answers a question. */
  readonly answer: (
    id: string,
    answer: AnswerRequest,
    options?: GatewayRequestOptions,
  ) => Promise<AnswerResponse>
}

/** Open questions, kept current. */
export function useInbox(): LiveInbox {
  const { client, store } = useGatewayContext()
  const { reload } = store.inbox
  return {
    ...useLive(store.inbox),
    answer: (id, answer, options) => client.answer(id, answer, options).finally(() => void reload()),
  }
}

/** The latest calls, newest first, kept current. */
export function useActivity(): Live<readonly ActivityEntry[]> {
  return useLive(useGatewayContext().store.activity)
}

/** Calls `onEvent` for each event of the gateway, for what the other hooks do not show. */
export function useGatewayEvents(onEvent: (event: GatewayEvent) => void): void {
  const { store } = useGatewayContext()
  const latest = useRef(onEvent)
  useEffect(() => {
    latest.current = onEvent
  })
  useEffect(() => store.follow((event) => latest.current(event)), [store])
}

/** Resources of the servers that are ready and their templates, kept current. */
export function useResources(): Live<ResourcesResponse> {
  return useLive(useGatewayContext().store.resources)
}

/** Prompts of the servers that are ready, kept current. */
export function usePrompts(): Live<readonly PromptSummary[]> {
  return useLive(useGatewayContext().store.prompts)
}

/** Result of `useResourceUpdates`. */
export interface ResourceUpdates {
  /** Whether the server tells of changes. */
  readonly isFollowed: boolean
  /** Number of changes since the subscription began. */
  readonly updates: number
  /** Why the server does not tell of changes, or null. */
  readonly error: Error | null
}

const notFollowed: ResourceUpdates = { isFollowed: false, updates: 0, error: null }

/** Subscribes to a resource while the component is mounted. Without a resource, nothing happens. */
export function useResourceUpdates(resource: ReadResourceRequest | undefined): ResourceUpdates {
  const { client, store } = useGatewayContext()
  const [state, setState] = useState(notFollowed)
  const { server, uri } = resource ?? {}
  useEffect(() => {
    if (server === undefined || uri === undefined) return undefined
    const follower = new ResourceFollower(
      client,
      { server, uri },
      {
        onUpdate: () => setState((before) => ({ ...before, updates: before.updates + 1 })),
        onState: (error) => setState((before) => ({ ...before, isFollowed: error === null, error })),
      },
    )
    const unfollow = store.follow(follower.onEvent)
    return () => {
      unfollow()
      follower.stop()
      setState(notFollowed)
    }
  }, [client, store, server, uri])
  return state
}

/** State of the connection that keeps the other hooks current. */
export function useConnection(): EventStreamState {
  const { connection } = useGatewayContext().store
  return useSyncExternalStore(connection.subscribe, connection.getSnapshot, () => 'connecting')
}

function useGatewayContext(): Gateway {
  const gateway = useContext(GatewayContext)
  if (gateway === null) throw new TypeError('no gateway: render this component inside of <GatewayProvider>')
  return gateway
}

function useLive<T>({ subscribe, getSnapshot, reload }: LiveValue<T>): Live<T> {
  return { ...useSyncExternalStore(subscribe, getSnapshot, getSnapshot), reload }
}
