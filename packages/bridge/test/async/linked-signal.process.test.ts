import { getEventListeners } from 'node:events'
import { openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { linkedSignal } from '@toolbridge/client/internal'
import { fixture, permissive } from '../servers/specs.ts'

test('a linked signal is aborted with the reason of the first that is, also when that was before', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  using linked = linkedSignal(one.signal, undefined, other.signal)
  other.abort('enough')
  one.abort('too late')
  using late = linkedSignal(undefined, one.signal)
  expect([linked.signal.reason, late.signal.reason]).toEqual(['enough', 'too late'])
})

test('calls, waits and changes leave nothing behind in a signal that outlives them', async () => {
  const { signal } = new AbortController()
  const spec = fixture('hello')
  const answerer = { ask: async () => ({ action: 'accept' }) as const }
  await using bridge = await openBridge({ ...permissive([spec]), permissions: {}, answerer, signal })
  await bridge.apply([spec], { signal })
  await bridge.findTool('hello__hello', { signal })
  await bridge.call('hello__hello', {}, { signal })
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([])
})
