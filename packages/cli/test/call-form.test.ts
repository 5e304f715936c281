import { afterEach, beforeEach, expect, test } from 'vitest'
import { join } from 'node:path'
import { argumentForm } from '../src/arguments/argument-form.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
let terminal: PseudoTerminal | undefined
beforeEach(() => {
  place = workplace()
})
afterEach(() => {
  terminal?.end()
  place.remove()
})

test('--form asks for the arguments, filled in with those that were given', async () => {
  const args = ['call', 'open', 'text=Ada', '--form', '--mcp', join(place.path, 'mcp.json')]
  terminal = new PseudoTerminal(args, place.path, { NO_COLOR: '1' })
  await terminal.shows(
    /Arguments of workshop__open[\s\S]*text \(optional\)|Arguments of workshop__open[\s\S]*text/,
  )
  terminal.type(' L.\r')
  await terminal.shows(/Call workshop__open\?/)
  terminal.type('\r')
  await terminal.shows(/\{"text":"Ada L\."\}/)
  expect(await terminal.exit).toBe(0)
})

test('without a terminal --form is a usage error', async () => {
  const { code, stderr } = await place.run(['call', 'open', '--form'])
  expect(code).toBe(2)
  expect(stderr).toContain('--form needs a terminal')
})

test('what a form cannot have is typed as JSON, and converted by the schema', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 2, description: 'What to say' },
      size: { enum: ['small', 'large'], default: 'small' },
      sides: { type: 'array', items: { enum: ['left', 'right'] } },
      tags: { type: 'array', items: { type: 'string' }, description: 'Labels' },
      level: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
    required: ['text'],
  }
  const form = argumentForm(schema, { text: 'known', tags: ['a'] })
  expect(JSON.parse(JSON.stringify(form.schema))).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 2, title: 'text', description: 'What to say', default: 'known' },
      size: { type: 'string', title: 'size', enum: ['small', 'large'], default: 'small' },
      sides: { type: 'array', title: 'sides', items: { enum: ['left', 'right'] } },
      tags: { type: 'string', title: 'tags', description: 'Labels (JSON: string[])', default: '["a"]' },
      level: { type: 'integer', title: 'level' },
    },
    required: ['text'],
  })
  expect(form.given({ text: 'hi', tags: '["b"]' })).toEqual({
    whole: { text: 'hi' },
    pairs: [{ name: 'tags', text: '["b"]' }],
  })
})
