import type { CallOptions } from '@toolbridge/bridge'
import { expect } from 'vitest'
import type { Channels } from './channels.ts'
import type { Ledger, Person } from './ledger.ts'

/** So many people on all channels, each in a conversation of their own. */
export function createCrowd(
  count: number,
  channels: Channels,
  principals: number = count,
): readonly Person[] {
  return Array.from({ length: count }, (_unused, index) => {
    const principal = `person ${index % principals}`
    const person = { name: `${principal} in ${index}`, origin: { principal, conversation: String(index) } }
    return { ...person, answerer: channels.answererFor(person, index) }
  })
}

export type Moment = 'during' | 'elsewhere' | 'late' | 'after-cancel'

/** Calls a tool on somebody's behalf and says what it answered. */
export type CallTool = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  person: Person,
  options: Pick<CallOptions, 'signal' | 'onProgress'>,
) => Promise<string>

/** One call whose question is due at the caller, and whose answer is the caller's own. */
export async function askOnce(
  call: CallTool,
  person: Person,
  ledger: Ledger,
  moment: Moment,
  delayMs: number,
  about: string = moment,
): Promise<void> {
  const args = { token: ledger.token(person, about), when: moment, delayMs }
  if (moment === 'after-cancel') return cancelOnArrival(call, person, args)
  const said = await call('ask', args, person, {})
  expect(said).toBe(moment === 'late' ? 'later' : person.name)
}

async function cancelOnArrival(
  call: CallTool,
  person: Person,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const enough = new Error('enough')
  const controller = new AbortController()
  const onProgress = (): void => controller.abort(enough)
  await expect(call('ask', args, person, { signal: controller.signal, onProgress })).rejects.toBe(enough)
}

/** Numbers that are the same in each run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
