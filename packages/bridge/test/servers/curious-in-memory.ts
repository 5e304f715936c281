import type { BridgeOptions, StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { CuriousSession } from '@toolbridge/testkit/servers'
import { inMemory } from './in-memory.ts'

/** The curious server in this process: each connection is a session of its own, and all of them are counted. */
export interface CuriousInMemory {
  readonly spec: StdioServerSpec
  readonly transportOf: NonNullable<BridgeOptions['transportOf']>
  /** How many connections were opened so far. */
  readonly opened: () => number
  /** The most connections that were open at the same time. */
  readonly most: () => number
}

export function curiousInMemory(era: 'legacy' | 'modern' = 'legacy'): CuriousInMemory {
  const counts = { opened: 0, open: 0, most: 0 }
  return {
    spec: inMemory('elicit', 'curious'),
    transportOf: () => {
      const [link, end] = createMemoryPair()
      const session = new CuriousSession(era, (message) => void end.send(message as Message))
      end.onmessage = (message) =>
        session.receive(message as Received, (reply) => void end.send(reply as Message))
      end.onclose = () => {
        counts.open -= 1
      }
      counts.opened += 1
      counts.open += 1
      counts.most = Math.max(counts.most, counts.open)
      return link
    },
    opened: () => counts.opened,
    most: () => counts.most,
  }
}

type Message = Parameters<ReturnType<typeof createMemoryPair>[1]['send']>[0]
type Received = Parameters<CuriousSession['receive']>[0]
