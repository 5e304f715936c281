import type { InboxItem, InboxResponse, ServerStatus, ServersResponse } from '@toolbridge/api'
import { paths } from '@toolbridge/api'
import { vi } from 'vitest'
import type { Caller } from './gateway.ts'

/** For `vi.waitFor`: the limit only ends tests that hang; a busy machine must not fail one. */
export const untilHang = { timeout: 300_000, interval: 20 } as const

/** The caller's server of this name, once it is in one of these states. */
export function untilServer(
  caller: Caller,
  name: string,
  ...states: readonly ServerStatus['state'][]
): Promise<ServerStatus> {
  return vi.waitFor(async () => {
    const status = (await serversOf(caller)).find((server) => server.name === name)
    if (status === undefined || !states.includes(status.state)) {
      throw new Error(`${name} is ${status?.state ?? 'not there'} ${status?.error ?? ''}`)
    }
    return status
  }, untilHang)
}

/** The caller's only open question, once there is one. */
export function untilAsked(caller: Caller): Promise<InboxItem> {
  return vi.waitFor(async () => {
    const [item] = await questionsOf(caller)
    if (item === undefined) throw new Error('nothing was asked')
    return item
  }, untilHang)
}

/** Resolves when the caller has no open question. */
export function untilNothingAsked(caller: Caller): Promise<void> {
  return vi.waitFor(async () => {
    if ((await questionsOf(caller)).length > 0) throw new Error('a question is still open')
  }, untilHang)
}

export async function serversOf(caller: Caller): Promise<readonly ServerStatus[]> {
  const { servers }: ServersResponse = await (await caller.get(paths.servers)).json()
  return servers
}

export async function questionsOf(caller: Caller): Promise<readonly InboxItem[]> {
  const { items }: InboxResponse = await (await caller.get(paths.inbox)).json()
  return items
}

/** The text of a tool's result. */
export async function textOf(response: Response): Promise<string> {
  const { content }: { content: readonly { text?: string }[] } = await response.json()
  return content.map(({ text }) => text ?? '').join('\n')
}
