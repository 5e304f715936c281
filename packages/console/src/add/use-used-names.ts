import { useServers } from '@toolbridge/react'
import type { UsedNames } from './choices.ts'

/** The names of the servers that exist. */
export function useUsedNames(): UsedNames {
  const { data: servers = [] } = useServers()
  const namesOf = (scope: 'user' | 'operator'): ReadonlySet<string> =>
    new Set(servers.filter((server) => server.scope === scope).map(({ name }) => name))
  return { own: namesOf('user'), operators: namesOf('operator') }
}
