import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaProblems } from '@toolbridge/client/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Workplace, workplace, workshop } from './workshop.ts'

let place: Workplace
beforeEach(() => {
  place = workplace({ workshop, careful: { ...workshop, approval: { default: 'ask' } } })
})
afterEach(() => place.remove())

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47])

test('a picture is saved in the named file, and the text is printed', async () => {
  const { code, stdout, stderr } = await place.run(['call', 'workshop.picture', '--output', 'dot.png'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'look\n[image image/png]\n' })
  const file = join(place.path, 'dot.png')
  expect(stderr).toBe(`toolbridge: saved ${file} (image/png, 70 bytes)\n`)
  expect(readFileSync(file).subarray(0, 4)).toEqual(png)
})

test('several pictures are saved in a folder, and no file of it is replaced', async () => {
  const folder = join(place.path, 'new')
  for (const [first, second] of [
    ['workshop__pictures-1.png', 'workshop__pictures-2.gif'],
    ['workshop__pictures-1-1.png', 'workshop__pictures-2-1.gif'],
  ] as const) {
    expect((await place.run(['call', 'workshop.pictures', '-o', 'new/'])).code).toBe(0)
    expect(readFileSync(join(folder, first)).subarray(0, 4)).toEqual(png)
    expect(existsSync(join(folder, second))).toBe(true)
  }
})

test('further pictures are saved beside the named file, and replace nothing that the user has not named', async () => {
  const [named, other] = [join(place.path, 'dot.png'), join(place.path, 'dot-2.png')]
  for (const file of [named, other]) writeFileSync(file, 'mine')
  expect((await place.run(['call', 'workshop.pictures', '-o', 'dot.png'])).code).toBe(0)
  expect(readFileSync(named).subarray(0, 4)).toEqual(png)
  expect(readFileSync(other, 'utf8')).toBe('mine')
  expect(existsSync(join(place.path, 'dot-2-1.png'))).toBe(true)
})

test('text without media is saved as it is', async () => {
  const result = await place.run(['call', 'workshop.echo', 'text=ab', '--output', 'out.json'])
  expect(result).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(place.path, 'out.json'), 'utf8')).toBe('{"text":"ab"}')
})

test('an output that cannot be written is refused before the call is made', async () => {
  const { code, stderr } = await place.run([
    'call',
    'workshop.picture',
    '--output',
    'no/where.png',
    '--trace',
  ])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'toolbridge: cannot write to "no/where.png": there is no folder "no"\n',
  })
})

test('a failure of the tool is printed on stderr without control characters, and is the exit status', async () => {
  const result = await place.run(['call', 'workshop.fail'])
  expect(result).toEqual({ code: 1, stdout: '', stderr: 'broken red\n' })
})

test('as JSON, the result is a CallToolResult of the specification', async () => {
  const { stdout } = await place.run(['call', 'workshop.picture', '--format', 'json'])
  const schema = {
    type: 'object',
    required: ['content'],
    properties: { content: { type: 'array', items: { type: 'object', required: ['type'] } } },
  }
  expect(schemaProblems(schema, JSON.parse(stdout))).toEqual([])
})

test('without a terminal, progress is not printed', async () => {
  expect(await place.run(['call', 'workshop.steps'])).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
})

test.each([[['--yes']], [['--allow', 'mcp://careful/*']], [['--allow', 'mcp:careful__open(text=a*)']]])(
  'a call that needs an approval is made with %j',
  async (flags) => {
    const result = await place.run(['call', 'careful.open', 'text=ab', ...flags])
    expect(result).toEqual({ code: 0, stdout: '{"text":"ab"}\n', stderr: '' })
  },
)

test.each([[[]], [['--allow', 'mcp://careful/fail']], [['--allow', 'mcp:careful__open(text=b*)']]])(
  'a call that needs an approval is not made with %j, and the ways to approve it are named',
  async (flags) => {
    const { code, stdout, stderr } = await place.run(['call', 'careful.open', 'text=ab', ...flags])
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toBe(
      'toolbridge: no_answerer: careful__open needs an approval (the definition of careful says ask). Run the command at a terminal to answer, or approve the call with --yes or --allow <rule>\n',
    )
  },
)

test('a call that the definition denies is not approved by --yes', async () => {
  const strict = workplace({ strict: { ...workshop, approval: { default: 'deny' } } })
  const { code, stderr } = await strict.run(['call', 'strict.open', '--yes'])
  strict.remove()
  expect(code).toBe(4)
  expect(stderr).toContain('denied: strict__open may not be called: the definition of strict says deny')
})

test('a call that names a control file is not approved by --yes', async () => {
  const secret = join(place.path, '.toolbridge', 'trust')
  const { code, stderr } = await place.run(['call', 'careful.open', `text=${secret}/x`, '--yes'])
  expect(code).toBe(4)
  expect(stderr).toContain(
    'the approval of careful__open failed: only a person can give it. Run the command at a terminal to answer\n',
  )
  const bare = await place.run(['call', 'workshop.open', `text=${secret}/x`])
  expect(bare.stderr).toMatch(
    /needs an approval \(a control file\)\. Run the command at a terminal to answer\n$/,
  )
})

test('an invalid rule is refused before anything is started', async () => {
  const { code, stderr } = await place.run(['call', 'careful.open', '--allow', 'careful'])
  expect(code).toBe(2)
  expect(stderr).toContain('toolbridge: invalid --allow: "careful" is not a permission pattern')
})

test('the media of a call are not written where the file is a folder of another kind', async () => {
  writeFileSync(join(place.path, 'taken'), '')
  const { code } = await place.run(['call', 'workshop.picture', '--output', 'taken/dot.png'])
  expect(code).toBe(2)
})
