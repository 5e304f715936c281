import type { Answerer, Question } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { approving } from '../src/servers/approvals.ts'

const approval: Question = {
  kind: 'approval',
  id: '1',
  origin: { principal: 'local', conversation: 'terminal' },
  server: 'files',
  tool: 'files__write',
  message: 'Allow this call?',
  detail: '',
  arguments: { text: '{}', omitted: 0 },
  decisions: ['once', 'session', 'tool', 'always'],
}
const { signal } = new AbortController()

test.each([
  ['an ordinary approval', approval, { action: 'accept', decision: 'once' }],
  ['a changed tool', { ...approval, change: '- a\n+ b' }, { action: 'decline' }],
  ['a control file', { ...approval, decisions: ['once'] as const }, { action: 'decline' }],
  ['a form', { ...approval, kind: 'form' as const, schema: {} }, { action: 'decline' }],
])('with a keyboard, %s is answered as it should be', async (_what, question, answer) => {
  const keyboard: Answerer = { ask: async () => ({ action: 'decline' }) }
  expect(await approving(keyboard).ask(question, { signal })).toEqual(answer)
})

test('without a keyboard only ordinary approvals are given', async () => {
  const answerer = approving(undefined)
  expect(answerer.kinds).toEqual(['approval'])
  await expect(answerer.ask({ ...approval, decisions: ['once'] }, { signal })).rejects.toThrow('no terminal')
})
