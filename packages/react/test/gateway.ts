import { type ConfigResponse, paths } from '@toolbridge/api'
import { createGatewayClient, type GatewayClient, type McpServers } from '@toolbridge/react'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll } from 'vitest'
import { listenTestGateway, type ListeningGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'

const people = Array.from({ length: 40 }, (_, index) => `person-${index}`)

/** Somebody who has an account at the gateway of the file, with nothing saved. */
export interface Person {
  readonly client: GatewayClient
  /** Saves from another browser. */
  save(mcpServers: McpServers): Promise<void>
  /** Reads what is saved, with secrets. */
  saved(): Promise<ConfigResponse>
}

/** Starts one real gateway for the tests of a file. Each call of the returned function is a new person. */
export function useGateway(): () => Person {
  let listening: ListeningGateway
  let next = 0
  beforeAll(async () => {
    listening = await listenTestGateway({ lockbox: await openTestLockbox(), principals: people })
  })
  afterAll(() => listening[Symbol.asyncDispose]())
  return () => personOf(listening, people[next++] ?? 'nobody')
}

function personOf({ url, gateway }: ListeningGateway, name: string): Person {
  const caller = gateway.as(name)
  const client = createGatewayClient({ baseUrl: url, token: () => canary(name) })
  return {
    client,
    async save(mcpServers) {
      const { status } = await caller.post(paths.config, { mcpServers })
      if (status !== 200) throw new Error(`the save was refused with status ${status}`)
    },
    saved: async () => (await caller.get(paths.config)).json(),
  }
}
