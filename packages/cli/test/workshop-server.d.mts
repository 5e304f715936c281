import type { JsonRpcMessage, Tool } from '@toolbridge/client'

interface Session {
  readonly send: (message: JsonRpcMessage) => unknown
  readonly only: readonly string[]
  readonly key: string | undefined
}

export const tools: readonly Tool[]
export function answer(message: unknown, session: Session): void
