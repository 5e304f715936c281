import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolbridge } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

function messagesIn(stderr: string): readonly string[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, arrow, text = ''] = /^([→←]) workshop (\{.*\})$/.exec(line) ?? []
      const { method, result } = JSON.parse(text)
      return `${arrow} ${method ?? (result === undefined ? 'error' : 'result')}`
    })
}

const start = [
  '→ server/discover',
  '← error',
  '→ initialize',
  '← result',
  '→ notifications/initialized',
  '→ tools/list',
  '← notifications/message',
  '← result',
]

test.each([
  [['tools'], []],
  [
    ['call', 'workshop.steps'],
    ['→ tools/call', '← result'],
  ],
  [
    ['resources', 'read', 'note://one'],
    ['→ resources/read', '← result'],
  ],
  [
    ['prompts', 'get', 'review', 'text=x'],
    ['→ prompts/list', '← result', '→ prompts/get', '← result'],
  ],
  [
    ['complete', 'review', 'text=x'],
    ['→ prompts/list', '← result', '→ completion/complete', '← result'],
  ],
  [['doctor'], ['→ ping', '← result', '→ ping', '← result', '→ ping', '← result']],
])(
  '--trace prints every message of %j on stderr, one per line and without secrets [C18]',
  async (args, more) => {
    const { code, stdout, stderr } = await place.run([...args, '--trace'])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/jsonrpc/)
    expect(messagesIn(stderr).filter((line) => !line.includes('progress'))).toEqual([...start, ...more])
    expect(stderr).toContain('the key is [redacted]')
    expect(stderr).not.toContain(canary('environment'))
  },
)

test('messages of a program are traced too', async () => {
  const { stderr } = await toolbridge(['call', 'workshop.open', 'text=ab', '--trace', '--mcp', 'mcp.json'], {
    cwd: place.path,
    env: { HOME: place.path },
  })
  expect(stderr).toMatch(/^→ workshop \{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call",.*"text":"ab"/m)
  expect(stderr).toContain('the key is [redacted]')
  expect(stderr).not.toContain(canary('environment'))
})

test('a long message is cut', async () => {
  const { stderr } = await place.run(['call', 'workshop.open', `text=${'x'.repeat(20_000)}`, '--trace'])
  expect(stderr).toMatch(/x… \d+ more characters\n/)
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(10_100)
})
