import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaProblems } from '@toolbridge/client/internal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Workplace, workplace, workshop } from './workshop.ts'

const missing = { command: 'no-such-program' }

let place: Workplace
let two: Workplace
beforeAll(() => {
  place = workplace()
  two = workplace({ workshop, again: workshop })
})
afterAll(() => {
  place.remove()
  two.remove()
})

function itemsOf(key: string, item: object): object {
  return {
    type: 'object',
    required: [key],
    additionalProperties: false,
    properties: { [key]: { type: 'array', minItems: 1, items: { type: 'object', ...item } } },
  }
}

test.each([
  [['resources'], itemsOf('resources', { required: ['server', 'uri', 'name'] })],
  [['resources', 'templates'], itemsOf('resourceTemplates', { required: ['server', 'uriTemplate', 'name'] })],
  [['resources', 'read', 'note://one'], itemsOf('contents', { required: ['uri', 'text'] })],
  [['prompts'], itemsOf('prompts', { required: ['server', 'name', 'arguments'] })],
  [['prompts', 'get', 'review', 'text=x'], itemsOf('messages', { required: ['role', 'content'] })],
  [
    ['complete', 'review', 'tone=e'],
    { type: 'object', required: ['values'], properties: { values: { type: 'array' }, total: { const: 2 } } },
  ],
])('%j prints JSON', async (args, schema) => {
  const { code, stdout, stderr } = await place.run([...args, '--format', 'json', '--pretty'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(schemaProblems(schema as Readonly<Record<string, unknown>>, JSON.parse(stdout))).toEqual([])
})

test.each([
  [['resources', 'list'], 'workshop\n  image://dot (image/png)  dot\n  note://one (text/plain)  one\n'],
  [['resources', 'templates'], 'workshop\n  note://{name}  A note\n'],
  [['resources', 'read', 'note://one'], 'a b\n\n'],
  [['prompts', 'list'], 'workshop\n  review(text: string, tone?: string)  Reviews a text.\n'],
  [
    ['prompts', 'get', 'workshop.review', 'text=this', 'tone=stern'],
    'user: Review this, be stern.\nassistant: [image image/png]\n',
  ],
  [['complete', 'review', 'tone=e', 'text=this'], 'emma\n{"text":"this"}\n'],
  [['complete', 'note://{name}', 'name=e'], 'emma\n{}\n'],
])('%j prints text [C1]', async (args, text) => {
  expect(await place.run(args)).toEqual({ code: 0, stdout: text, stderr: '' })
})

test('the contents of a resource are saved exactly, and bytes are never printed', async () => {
  const bare = await place.run(['resources', 'read', 'image://dot'])
  expect(bare).toMatchObject({ code: 0, stdout: '' })
  expect(bare.stderr).toContain('image://dot is binary (image/png, 70 bytes); save it with --output <file>')
  expect((await place.run(['resources', 'read', 'image://dot', '-o', 'dot.png'])).stdout).toBe('')
  expect(readFileSync(join(place.path, 'dot.png')).subarray(1, 4).toString()).toBe('PNG')
  await place.run(['resources', 'read', 'note://one', '-o', 'note.txt'])
  expect(readFileSync(join(place.path, 'note.txt'), 'utf8')).toBe('a\tb\u001b[31m\n')
})

test('among several servers, the one that lists a resource or has a template for it is asked', async () => {
  const mixed = workplace({ workshop, missing })
  const { stdout, code } = await mixed.run(['resources', 'read', 'note://two'])
  mixed.remove()
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'This is note://two.\n' })
  expect(await two.run(['resources', 'read', 'note://two', '--server', 'again'])).toMatchObject({ code: 0 })
})

test.each([
  [
    ['resources', 'read', 'note://two'],
    'several servers have "note://two": again, workshop. Choose one with --server',
  ],
  [['resources', 'read', 'image://dto'], 'no server lists "image://dto". Did you mean "image://dot"?'],
  [['resources', 'read'], 'missing URI'],
  [['resources', 'list', 'x'], 'unexpected argument "x"'],
  [['prompts', 'get', 'review', 'text=x'], 'several servers have prompt "review": again, workshop'],
  [['prompts', 'get', 'again.revew', 'text=x'], 'unknown prompt "again.revew"'],
  [
    ['prompts', 'get', 'again.review', 'txt=x'],
    'txt: unknown argument; did you mean "text"?\n  text: missing (string)',
  ],
  [['complete', 'review'], 'missing argument: expected <name>=<beginning>'],
  [['complete', 'again.review', 'ton=e'], '"again.review" has no argument "ton". Did you mean "tone"?'],
  [['complete', 'note://{nme}', 'name=e'], 'unknown template "note://{nme}". Did you mean "note://{name}"?'],
])('%j is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await two.run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test.each([['resources'], ['prompts'], ['resources', 'read', 'note://one'], ['generate']])(
  'a server that does not start is reported: %s %s',
  async (...args) => {
    const failing = workplace({ missing })
    const { code, stdout, stderr } = await failing.run(args)
    failing.remove()
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('no-such-program')
  },
)
