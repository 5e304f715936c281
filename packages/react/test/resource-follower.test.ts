import { expect, onTestFinished, test } from 'vitest'
import { ResourceFollower } from '../src/live/resource-follower.ts'

const note = { server: 'library', uri: 'file:///note' }

test('only changes of the resource are updates; when they may have been missed, it subscribes again', async () => {
  const seen: string[] = []
  // What reaches the gateway is the subject.
  const client = {
    subscribeResource: async () => {
      seen.push('subscribe')
      return { expiresAt: '' }
    },
    unsubscribeResource: async () => {
      seen.push('unsubscribe')
      return { success: true } as const
    },
  }
  const follower = new ResourceFollower(client, note, {
    onUpdate: () => seen.push('update'),
    onState: () => undefined,
  })
  onTestFinished(() => follower.stop())
  follower.onEvent({ type: 'resource', ...note, uri: 'file:///other', change: 'updated' })
  follower.onEvent({ type: 'resource', ...note, server: 'other', change: 'updated' })
  follower.onEvent({ type: 'servers' })
  expect(seen).toEqual(['subscribe'])
  follower.onEvent({ type: 'resource', ...note, change: 'updated' })
  expect(seen).toEqual(['subscribe', 'update'])
  follower.onEvent({ type: 'hello' })
  await expect.poll(() => seen).toEqual(['subscribe', 'update', 'subscribe', 'update'])
})
