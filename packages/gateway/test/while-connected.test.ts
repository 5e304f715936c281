import type { Answerer } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { whileConnected } from '../src/mcp/while-connected.ts'

const inbox: Answerer = { kinds: ['form', 'approval'], ask: async () => ({ action: 'decline' }) }

test('what a channel cannot show is not brought to it on behalf of a call that somebody waits for either', () => {
  expect(whileConnected(inbox, () => new AbortController().signal).kinds).toEqual(['form', 'approval'])
})
