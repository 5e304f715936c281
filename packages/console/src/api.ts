import { QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActivityEntry, ActivityResponse, AnswerRequest } from '@toolbridge/api'
import { type GatewayClient, GatewayError } from '@toolbridge/react'
import { createContext, useContext } from 'react'

const GatewayContext = createContext<GatewayClient | null>(null)

/** Gives the gateway to everything inside. */
export const GatewayProvider = GatewayContext.Provider

/** The gateway this page talks to. */
export function useGateway(): GatewayClient {
  const gateway = useContext(GatewayContext)
  if (gateway === null) throw new TypeError('useGateway is used outside of GatewayProvider')
  return gateway
}

/** Under which key each answer of the gateway is kept. */
export const keys = {
  servers: ['servers'],
  tools: ['tools'],
  inbox: ['inbox'],
  activity: ['activity'],
} as const satisfies Record<string, QueryKey>

/** Makes the store of answers. The event stream says when one is stale, so nothing is asked for again by time. */
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

/** Every server and how it does. */
export function useServers() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.servers,
    queryFn: ({ signal }) => gateway.servers({ signal }),
    select: (answer) => answer.servers,
  })
}

/** Starts a server anew; its row says what becomes of it. */
export function useRestart(server: string) {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => gateway.restart(server),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.servers }),
  })
}

/** Every tool that can be called. */
export function useTools() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.tools,
    queryFn: ({ signal }) => gateway.tools({ signal }),
    select: (answer) => answer.tools,
  })
}

/** The questions that wait for this person. */
export function useInbox() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.inbox,
    queryFn: ({ signal }) => gateway.inbox({ signal }),
    select: (answer) => answer.items,
  })
}

/** The latest calls, newest first. */
export function useActivity() {
  const gateway = useGateway()
  return useQuery({
    queryKey: keys.activity,
    queryFn: ({ signal }) => gateway.activity({ signal }),
    select: (answer) => answer.entries,
  })
}

/** Answers a question; whatever happens, the inbox is asked for again. */
export function useAnswer(id: string) {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answer: AnswerRequest) => gateway.answer(id, answer),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.inbox }),
  })
}

const longestActivity = 200

/** Puts a call that just ended on top of the list, unless it is there. */
export function addActivity(queryClient: QueryClient, entry: ActivityEntry): void {
  queryClient.setQueryData<ActivityResponse>(keys.activity, (answer) => {
    if (answer === undefined || answer.entries.some(({ id }) => id === entry.id)) return answer
    return { entries: [entry, ...answer.entries].slice(0, longestActivity) }
  })
}
