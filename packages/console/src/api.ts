import { QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActivityEntry, ActivityResponse, AnswerRequest, CreateKeyRequest } from '@toolbridge/api'
import { type GatewayClient, GatewayError } from '@toolbridge/react'
import { createContext, useContext } from 'react'

const GatewayContext = createContext<GatewayClient | null>(null)

/** Provides the gateway client. */
export const GatewayProvider = GatewayContext.Provider

/** Returns the gateway client. */
export function useGateway(): GatewayClient {
  const gateway = useContext(GatewayContext)
  if (gateway === null) throw new TypeError('useGateway is used outside of GatewayProvider')
  return gateway
}

/** Query keys of the gateway's responses. */
export const keys = {
  servers: ['servers'],
  tools: ['tools'],
  inbox: ['inbox'],
  activity: ['activity'],
  apiKeys: ['api-keys'],
} as const satisfies Record<string, QueryKey>

/** Creates the query client. Data never becomes stale by time: the event stream invalidates it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: (count, error) => count < 2 && isWorthRetrying(error),
      },
    },
  })
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof GatewayError && (error.kind === 'unreachable' || error.kind === 'timed_out')
}

/** Loads the status of every server. */
export function useServers() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.servers,
    queryFn: ({ signal }) => gateway.servers({ signal }),
    select: (answer) => answer.servers,
  })
}

/** Restarts a server. */
export function useRestart(server: string) {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => gateway.restart(server),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.servers }),
  })
}

/** Loads the tools that can be called. */
export function useTools() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.tools,
    queryFn: ({ signal }) => gateway.tools({ signal }),
    select: (answer) => answer.tools,
  })
}

/** Loads the open questions. */
export function useInbox() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.inbox,
    queryFn: ({ signal }) => gateway.inbox({ signal }),
    select: (answer) => answer.items,
  })
}

/** Loads the latest calls, newest first. */
export function useActivity() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.activity,
    queryFn: ({ signal }) => gateway.activity({ signal }),
    select: (answer) => answer.entries,
  })
}

/** Loads the person's API keys, oldest first. */
export function useApiKeys() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => gateway.keys({ signal }),
    select: (answer) => answer.keys,
  })
}

/** Creates an API key, then reloads the list. */
export function useCreateKey() {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    // The token must not stay in the memory of the page.
    gcTime: 0,
    mutationFn: (key: CreateKeyRequest) => gateway.createKey(key),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.apiKeys }),
  })
}

/** Revokes an API key, then reloads the list. */
export function useRevokeKey(id: string) {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => gateway.revokeKey(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.apiKeys }),
  })
}

/** Answers a question, then reloads the inbox. */
export function useAnswer(id: string) {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answer: AnswerRequest) => gateway.answer(id, answer),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.inbox }),
  })
}

const maxActivityEntries = 200

/** Adds a finished call to the top of the list, unless it is already listed. */
export function addActivity(queryClient: QueryClient, entry: ActivityEntry): void {
  queryClient.setQueryData<ActivityResponse>(keys.activity, (answer) => {
    if (answer === undefined || answer.entries.some(({ id }) => id === entry.id)) return answer
    return { entries: [entry, ...answer.entries].slice(0, maxActivityEntries) }
  })
}
