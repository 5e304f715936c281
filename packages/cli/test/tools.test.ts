import { schemaProblems } from '@toolbridge/client/internal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PassThrough } from 'node:stream'
import { run } from '../src/run.ts'
import { linkWorkshop, type Workplace, workplace, workshop, workshopWith } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace({ workshop, other: workshopWith('fail', 'open') })
})
afterAll(() => place.remove())

test('tools are grouped by server, with their signature and the first sentence of their description', async () => {
  const { code, stdout } = await place.run(['tools'])
  expect(code).toBe(0)
  expect(stdout.split('\n')).toEqual([
    'other',
    '  other__fail()',
    '      Fails.',
    '  other__open(text?: string)',
    '      Takes anything.',
    '',
    'workshop',
    '  workshop__echo(text: string, count?: integer = 2, ratio?: number, loud?: boolean, mode?: "fast" | "slow" | 3, tags?: string[], ids?: integer[], filter?: { field: string, limit?: integer, and?: { field: string, limit?: integer, and?: { field: string, limit?: integer, and?: object } } }, note?: string | null, dotted.name?: string, raw?: any)',
    '      Says what it was told.',
    '  workshop__fail()',
    '      Fails.',
    '  workshop__open(text?: string)',
    '      Takes anything.',
    '  workshop__picture()',
    '      Shows a picture.',
    '  workshop__pictures()',
    '      Shows two pictures.',
    '  workshop__steps()',
    '      Reports progress.',
    '',
  ])
})

test('--filter finds tools by text, --details shows parameters with their descriptions', async () => {
  const { stdout } = await place.run(['tools', '--filter', 'WORKSHOP', '--filter', 'told', '--details'])
  expect(stdout).toContain('      Says what it was told. Use it for tests only, never at work.\n')
  expect(stdout).toContain('      - text: string  What to say\n      - count?: integer = 2\n')
  expect(stdout).not.toContain('picture')
  const none = await place.run(['tools', '--filter', 'elephant'])
  expect(none).toEqual({ code: 0, stdout: '', stderr: 'toolbridge: none of 8 tools matches --filter\n' })
})

const listing = {
  type: 'object',
  required: ['tools'],
  additionalProperties: false,
  properties: {
    tools: {
      type: 'array',
      minItems: 8,
      maxItems: 8,
      items: {
        type: 'object',
        required: ['name', 'server', 'rawName', 'uri', 'parameters', 'inputSchema'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          server: { enum: ['workshop', 'other'] },
          rawName: { type: 'string' },
          uri: { type: 'string', pattern: '^mcp://' },
          title: { type: 'string' },
          description: { type: 'string' },
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          annotations: { type: 'object' },
          parameters: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'type', 'required'],
              additionalProperties: false,
              properties: {
                name: { type: 'string' },
                type: { type: 'string' },
                required: { type: 'boolean' },
                description: { type: 'string' },
                default: {},
              },
            },
          },
        },
      },
    },
  },
}

test('as JSON, tools have their parameters and schemas', async () => {
  const { stdout } = await place.run(['tools', '--format', 'json'])
  const printed: unknown = JSON.parse(stdout)
  expect(schemaProblems(listing, printed)).toEqual([])
  expect(printed).toMatchObject({
    tools: expect.arrayContaining([
      expect.objectContaining({
        name: 'workshop__echo',
        title: 'Echo',
        annotations: { readOnlyHint: true },
        parameters: expect.arrayContaining([
          { name: 'text', type: 'string', required: true, description: 'What to say' },
          { name: 'count', type: 'integer', required: false, default: 2 },
        ]),
      }),
    ]),
  })
})

test('on a terminal, lines are wrapped to its width', async () => {
  const shown: Buffer[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 50 })
  stdout.on('data', (chunk: Buffer) => shown.push(chunk))
  const env = { HOME: place.path, NO_COLOR: '1' }
  const { signal } = new AbortController()
  const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough() }
  const args = ['tools', '--server', 'workshop', '--mcp', `${place.path}/mcp.json`]
  const transportOf = linkWorkshop
  await run(args, { ...streams, env, cwd: place.path, signal, interrupt: () => {}, transportOf })
  const lines = Buffer.concat(shown).toString().split('\n')
  expect(lines[1]).toBe('  workshop__echo(text: string, count?: integer =')
  expect(lines[2]).toBe('      2, ratio?: number, loud?: boolean, mode?:')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
  expect(lines.join('\n')).not.toContain('\u001b')
})
