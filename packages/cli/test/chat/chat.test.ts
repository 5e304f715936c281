import { readFileSync } from 'node:fs'
import { createMemoryPair } from '@toolbridge/client'
import { type ModelTurn, type ScriptedModel, scriptedModel } from '@toolbridge/testkit/models'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Interruptions } from '../../src/interruptions.ts'
import { modelOptions } from '../agent/with-model.ts'
import { useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import type { Finished } from '../transcript.ts'
import { linkWorkshop, type Workplace, workplace } from '../workshop.ts'
import { answeringModel, lastAsked, lastMessages } from './answering-model.ts'

let place: Workplace
let model: ScriptedModel
/** What the model says; by default it repeats. */
let reply: (asked: string) => ModelTurn
beforeAll(async () => {
  place = workplace()
  model = await answeringModel((asked) => reply(asked))
})
beforeEach(() => {
  reply = (asked) => ({ text: `You said ${asked}.` })
})
afterAll(async () => {
  await model[Symbol.asyncDispose]()
  place.remove()
})

function chat(lines: readonly string[], ...args: readonly string[]): Promise<Finished> {
  return place.run(['chat', ...modelOptions(model), ...args], {
    input: lines.map((line) => `${line}\n`).join(''),
  })
}

/** Calls a tool when asked to "go", and repeats its result. */
function calling(tool: string, args: object): typeof reply {
  return (asked) =>
    asked === 'go' ? { text: 'I call.', calls: [{ tool, input: args }] } : { text: `Result: ${asked}` }
}

/** The roles of the last request, and whether each call in it has a result. */
function sent(): { readonly roles: readonly string[]; readonly isComplete: boolean } {
  const messages = lastMessages(model)
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
  const results = messages.flatMap(({ tool_call_id = [] }) => tool_call_id)
  return { roles: messages.map(({ role }) => role), isComplete: calls.join() === results.join() }
}

const askerAnswers: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { prompts: {} },
    serverInfo: { name: 'asker', version: '1' },
  },
  'prompts/list': { prompts: [{ name: 'news' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'What is new?' } }] },
}

/** Runs a server in this process whose only prompt ends with a question. */
const linkAsker: typeof linkWorkshop = (spec) => {
  if (spec.name !== 'asker') return linkWorkshop(spec)
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    if (!('method' in message) || !('id' in message)) return
    const result = askerAnswers[message.method]
    const error = { code: -32601, message: 'unknown method' }
    void end.send({ jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) })
  }
  return link
}

describe('without a terminal', () => {
  test('each line is a message of one conversation, and the answers are printed', async () => {
    expect(await chat(['one', '', 'two\\', 'more', '"""', 'three', '"""'])).toEqual({
      code: 0,
      stdout: 'You said one.\nYou said two\nmore.\nYou said three.\n',
      stderr: '',
    })
    expect(lastAsked(model)).toEqual(['one', 'two\nmore', 'three'])
    expect(sent().roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  })

  test('the model uses the selected tool, with --mcp before the command too [S3-1] [S3-23]', async () => {
    reply = calling('workshop__open', { text: 'ab' })
    const args = ['chat', ...modelOptions(model), '--tool', 'workshop.open', '--yes']
    const options = {
      cwd: place.path,
      env: { HOME: place.path },
      transportOf: linkWorkshop,
      input: 'go\nthanks\n',
    }
    const finished = await runInProcess(['--mcp', 'mcp.json', ...args], options)
    expect(finished).toMatchObject({ code: 0, stdout: 'Result: {"text":"ab"}\nResult: thanks\n' })
    expect(model.requests.at(-1)?.tools).toEqual(['workshop__open'])
    expect(sent()).toEqual({ roles: ['user', 'assistant', 'tool', 'assistant', 'user'], isComplete: true })
  })

  test('a call that nobody approves is not made, and the model is told so', async () => {
    reply = calling('workshop__open', {})
    const { stdout } = await chat(['go'])
    expect(stdout).toContain('needs an approval')
  })

  test('words of the command line are the first message, after resources and a prompt', async () => {
    const options = ['--system', 'Be brief.', '--resource', 'note://two', '--prompt', 'review', 'text=this']
    const { code, stdout } = await chat(['two'], ...options, 'Begin', 'now.')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said Begin now..\nYou said two.\n' })
    expect(sent().roles[0]).toBe('system')
    expect(lastAsked(model)).toEqual(['This is note://two.', 'Review this, be kind.', 'Begin now.', 'two'])
  })

  test('text of the model colors and moves nothing', async () => {
    reply = () => ({ text: 'ab\u001b[31mc\u009b2Jd\u202e' })
    expect((await chat(['one'])).stdout).toBe('abc2Jd\n')
  })

  test('SIGTERM ends the chat during an answer', async () => {
    const interruptions = new Interruptions(() => {})
    reply = () => {
      setImmediate(() => interruptions.end())
      return { text: 'I think', hang: true }
    }
    const finished = await place.run(['chat', ...modelOptions(model)], { input: 'one\n', interruptions })
    expect(finished).toMatchObject({ code: 130, stderr: '' })
  })

  test('JSON is refused, with the command that prints it', async () => {
    const finished = await chat([], '--format', 'json')
    expect(finished).toMatchObject({ code: 2, stdout: '' })
    expect(finished.stderr).toContain('unknown option "--format". A chat has no single result. For JSON, use')
  })
})

describe('a turn that fails', () => {
  test('is one line, and the chat goes on without it', async () => {
    reply = (asked) => (asked === 'bad' ? { status: 400, message: 'no such thing' } : { text: 'Good.' })
    const { code, stdout, stderr } = await chat(['one', 'bad', 'two'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'Good.\nGood.\n' })
    expect(stderr).toMatch(/^toolbridge: failed: compatible\/scripted: .*400.*no such thing.*\n$/)
    expect(lastAsked(model)).toEqual(['one', 'two'])
  })

  test('after a call keeps the call and its result', async () => {
    const call = calling('workshop__open', {})
    reply = (asked) => (asked.startsWith('{') ? { status: 400, message: 'too long' } : call(asked))
    const { code } = await chat(['go', 'two'], '--yes')
    expect(code).toBe(3)
    expect(lastAsked(model)).toEqual(['go', 'two'])
    expect(sent()).toEqual({ roles: ['user', 'assistant', 'tool', 'assistant', 'user'], isComplete: true })
  })

  test('at a limit says so, and the conversation stays valid', async () => {
    reply = calling('workshop__open', {})
    const { code, stderr } = await chat(['go', 'two'], '--yes', '--max-turns', '1')
    expect(code).toBe(8)
    expect(stderr).toContain('toolbridge: the model has not finished within the limit of --max-turns\n')
    expect(sent()).toEqual({ roles: ['user', 'assistant', 'tool', 'assistant', 'user'], isComplete: true })
  })
})

describe('commands', () => {
  test('/help and the README list every command, and /exit ends the chat', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const documented = [...readme.matchAll(/^\| `(\/[^`]+)` /gm)].map(([, usage]) => usage)
    const { code, stdout } = await chat(['/help', '/exit', 'one'])
    expect(code).toBe(0)
    expect([...stdout.matchAll(/^(\/.*?) {2}/gm)].map(([, usage]) => usage)).toEqual(documented)
    expect(documented.length).toBeGreaterThan(9)
    expect(stdout).not.toContain('You said')
  })

  test('an unknown command is named with the one that was likely meant, and nothing is sent', async () => {
    const before = model.requests.length
    const { code, stderr } = await chat(['/tols'])
    expect(code).toBe(2)
    expect(stderr).toContain('unknown command "/tols". Did you mean "/tools"? /help lists the commands.')
    expect(model.requests.length).toBe(before)
  })

  test('what only begins like a command is a message', async () => {
    const { stdout } = await chat(['/etc/hosts is a file', ' /tools'])
    expect(stdout).toBe('You said /etc/hosts is a file.\nYou said  /tools.\n')
  })

  test('/tools and /servers show what the model can use', async () => {
    const { stdout } = await chat(['/tools picture', '/servers'], '--deny', 'mcp://workshop/pictures')
    expect(stdout).toMatch(/^workshop\n {2}workshop__picture\(\)\n/)
    expect(stdout).toMatch(/workshop__pictures\(\)\n\s+denied: .*mcp:\/\/workshop\/pictures/)
    expect(stdout).not.toContain('workshop__echo')
    expect(stdout).toMatch(/^workshop {2}ready {2}6 tools$/m)
  })

  test('/clear forgets the conversation', async () => {
    const { stderr } = await chat(['one', '/resource note://two', '/clear', 'two'])
    expect(stderr).toContain('toolbridge: the conversation is empty\n')
    expect(lastAsked(model)).toEqual(['two'])
  })

  test('/resource and /prompt add to the next message', async () => {
    const { code, stderr } = await chat([
      '/resource note://two',
      '/prompt review text="a b" tone=kind',
      'Go on.',
    ])
    expect(code).toBe(0)
    expect(stderr.match(/added to the next message/g)).toHaveLength(2)
    expect(lastAsked(model)).toEqual(['This is note://two.', 'Review a b, be kind.', 'Go on.'])
  })

  test('/prompt sends a prompt that asks something', async () => {
    const { stdout } = await place.run(['chat', ...modelOptions(model), '--stdio', 'asker'], {
      input: '/prompt asker.news\n',
      transportOf: linkAsker,
    })
    expect(stdout).toBe('You said What is new?.\n')
  })

  test.each([
    ['/resource', 'missing URI'],
    ['/prompt', 'missing prompt'],
    ['/prompt reviw', 'unknown prompt "reviw". Did you mean "review"?'],
    ['/prompt review text=@-', 'cannot be read from the standard input'],
    ['/prompt review', 'text: missing'],
  ])('%s is refused', async (line, message) => {
    const { code, stderr } = await chat([line])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('/approve', () => {
  test('approves what a rule covers until the chat ends, and lists it', async () => {
    reply = calling('workshop__open', { text: 'ab' })
    const { stdout, stderr } = await chat(['go', '/approve', '/approve mcp://workshop/o*', '/approve', 'go'])
    expect(stderr).toContain('toolbridge: nothing is approved')
    expect(stderr).toContain('toolbridge: approved until the chat ends: mcp://workshop/o* (workshop__open)\n')
    expect(stdout).toMatch(
      /needs an approval[^]*\nmcp:\/\/workshop\/o\* {2}until the chat ends\nResult: {"text":"ab"}\n$/,
    )
    reply = calling('workshop__open', {})
    expect((await chat(['go'])).stdout).toContain('needs an approval')
  })

  test('takes the name of a tool, and never approves what a rule denies', async () => {
    reply = calling('workshop__open', {})
    const lines = ['/approve workshop.open', 'go', '/approve']
    expect((await chat(lines)).stdout).toBe('Result: {}\nmcp://workshop/open  until the chat ends\n')
    expect((await chat(lines, '--deny', 'mcp://workshop/open')).stdout).toMatch(/Result: .*den/)
  })

  test('refuses an invalid rule', async () => {
    const { code, stderr } = await chat(['/approve workshop.opne'])
    expect(code).toBe(2)
    expect(stderr).toContain('invalid rule "workshop.opne"')
  })
})

describe('/model', () => {
  test('shows the model and switches it; without a key the old one stays', async () => {
    const { code, stdout, stderr } = await chat([
      '/model',
      '/model compatible/other',
      '/model openai/gpt-5',
      'one',
    ])
    expect(code).toBe(2)
    expect(stdout).toBe('compatible/scripted\ncompatible/other\nYou said one.\n')
    expect(stderr).toMatch(/^toolbridge: no_key: .*OPENAI_API_KEY.*\n$/)
    expect(model.requests.at(-1)?.body['model']).toBe('other')
  })

  test.each([
    ['openai/scripted'],
    ['openai/other', 'openai/scripted'],
    ['openai/other', 'compatible/other', 'openai/scripted'],
  ])('does not send the key of one provider to the address of another: %j', async (...names) => {
    await using other = await scriptedModel({ shape: 'openai', turns: [{ text: 'It is me.' }] })
    const before = model.requests.length
    const { stdout } = await place.run(['chat', ...modelOptions(model)], {
      input: `${names.map((name) => `/model ${name}\n`).join('')}one\n`,
      env: other.env,
    })
    expect(stdout).toBe(`${names.join('\n')}\nIt is me.\n`)
    expect([model.requests.length - before, other.requests.length]).toEqual([0, 1])
  })
})

describe('without a configuration', () => {
  const folder = useFolder()

  test('the model answers without tools [S3-4]', async () => {
    const env = { HOME: folder.path }
    const finished = await runInProcess(['chat', ...modelOptions(model)], {
      cwd: folder.path,
      env,
      input: 'one\n/reload\n',
    })
    expect(finished).toMatchObject({ code: 0, stdout: 'You said one.\n' })
    expect(model.requests.at(-1)?.tools).toEqual([])
  })

  test('a missing model is named before anything starts', async () => {
    const { code, stderr } = await runInProcess(['chat'], { cwd: folder.path, env: { HOME: folder.path } })
    expect(code).toBe(2)
    expect(stderr).toContain('missing model')
  })
})
