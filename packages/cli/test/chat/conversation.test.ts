import type { AgentEvent, ModelMessage } from '@toolbridge/agent'
import { expect, test } from 'vitest'
import { Conversation } from '../../src/agent/chat/conversation.ts'
import { TurnRecord } from '../../src/agent/chat/turn-record.ts'

const question: ModelMessage = { role: 'user', content: 'Greet them.' }

function recorded(...events: readonly AgentEvent[]): readonly ModelMessage[] {
  const record = new TurnRecord()
  for (const event of events) record.add(event)
  return record.messages()
}

function called(callId: string, input: unknown): AgentEvent {
  return { type: 'tool.called', callId, tool: 'hello', input }
}

test('a turn that ends early has a result for every call', () => {
  const messages = recorded(
    { type: 'step.started', step: 1 },
    { type: 'text', text: 'I ' },
    { type: 'text', text: 'greet.' },
    called('1', { name: 'Ada' }),
    called('2', { name: 'Bob' }),
    called('3', {}),
    {
      type: 'tool.finished',
      callId: '1',
      tool: 'hello',
      result: { content: [{ type: 'text', text: 'Hi' }] },
    },
    { type: 'tool.finished', callId: '2', tool: 'hello', error: 'denied' },
  )
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I greet.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'hello', input: { name: 'Ada' } },
        { type: 'tool-call', toolCallId: '2', toolName: 'hello', input: { name: 'Bob' } },
        { type: 'tool-call', toolCallId: '3', toolName: 'hello', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: '1', toolName: 'hello', output: { type: 'text', value: 'Hi' } },
        {
          type: 'tool-result',
          toolCallId: '2',
          toolName: 'hello',
          output: { type: 'error-text', value: 'denied' },
        },
        {
          type: 'tool-result',
          toolCallId: '3',
          toolName: 'hello',
          output: { type: 'error-text', value: expect.stringContaining('cancelled') },
        },
      ],
    },
  ])
})

test('steps are messages of their own, and one without text and calls is none', () => {
  expect(
    recorded(
      { type: 'step.started', step: 1 },
      called('1', {}),
      { type: 'tool.finished', callId: '1', tool: 'hello', result: { content: [], isError: true } },
      { type: 'step.finished', step: 1, tokens: 1 },
      { type: 'step.started', step: 2 },
      { type: 'reasoning', text: 'hm' },
    ).map(({ role }) => role),
  ).toEqual(['assistant', 'tool'])
  expect(recorded({ type: 'step.started', step: 1 })).toEqual([])
})

test.each([['{"name": "Ad'], [[1]], [null]])(
  'arguments that no tool takes are kept as none, because providers would refuse the conversation: %j',
  (input) => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'hello', input: {} }
    expect(recorded(called('1', input))[0]).toEqual({ role: 'assistant', content: [call] })
  },
)

test('the model speaks last, also after a turn that ended with a call', () => {
  const conversation = new Conversation()
  conversation.keep([question], recorded(called('1', {})), 'The answer ended here.')
  expect(conversation.with([]).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(conversation.with([]).at(-1)?.content).toBe('[The answer ended here.]')
})

test('nothing is kept of a turn in which the model neither said nor did anything', () => {
  const conversation = new Conversation()
  conversation.keep([question], [{ role: 'assistant', content: [] }], 'The answer ended here.')
  expect(conversation.with([])).toEqual([])
})

test('what is attached goes with the next question only', () => {
  const conversation = new Conversation()
  const note: ModelMessage = { role: 'user', content: 'A note' }
  conversation.attach([note])
  expect(conversation.asked(question)).toEqual([note, question])
  expect(conversation.asked(question)).toEqual([question])
  conversation.attach([note])
  conversation.clear()
  expect(conversation.asked(question)).toEqual([question])
})
