import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileGrantStore, readPermissions } from '@toolbridge/bridge/permissions'
import { schemaProblems } from '@toolbridge/client/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { put } from './folders.ts'
import { run } from '../src/run.ts'
import { runInProcess } from './in-process.ts'
import { schemaNamed } from './published-schemas.ts'
import type { Finished } from './transcript.ts'
import { linkWorkshop, type Workplace, workplace, workshop } from './workshop.ts'

let place: Workplace
let started: string[]
beforeEach(() => {
  started = []
  place = workplace({
    workshop,
    careful: { ...workshop, approval: { tools: { open: 'writes', fail: 'deny' } } },
  })
})
afterEach(() => place.remove())

const write = (path: string, content: unknown): string => put(place.path, path, content)

function permissions(...args: readonly string[]): Promise<Finished> {
  return place.run(['permissions', ...args], {
    transportOf: (...link) => {
      started.push(link[0].name)
      return linkWorkshop(...link)
    },
  })
}

/** Runs a command as JSON and checks the result by the published schema. */
async function reported(
  verb: 'list' | 'test' | 'explain',
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly json: Readonly<Record<string, unknown>> }> {
  const { code, stdout } = await permissions(verb, ...args, '--format', 'json')
  const json: Readonly<Record<string, unknown>> = JSON.parse(stdout)
  expect(schemaProblems(schemaNamed(`permissions-report ${verb}`), json)).toEqual([])
  return { code, json }
}

const rules = [
  '{',
  '  "mode": "ask",',
  '  "allow": ["mcp://workshop/open"],',
  '  "ask": [{ "match": "mcp://workshop/echo", "arguments": { "count": 3 } }],',
  '  "deny": ["mcp://workshop/open(text=a*)", "resource:workshop"]',
  '}',
].join('\n')

describe('permissions list [S1-5]', () => {
  test('shows every rule with its flag or file and line, and the mode', async () => {
    const found = write('mcp.permissions.json', rules)
    const own = write('.toolbridge/permissions.json', '{ "mode": "plan",\n "deny": ["mcp://careful/*"] }')
    const flags = ['--deny', 'mcp:x', '--allow', 'mcp://workshop/*', '--mode', 'yolo']
    const { code, json } = await reported('list', ...flags)
    expect(code).toBe(0)
    expect(json).toEqual({
      mode: { value: 'yolo', source: { flag: '--mode' } },
      rules: [
        { kind: 'deny', rule: 'mcp:x', source: { flag: '--deny' }, onlyRestricts: false },
        {
          kind: 'deny',
          rule: 'mcp://careful/*',
          source: { file: own, line: 2, column: 11 },
          onlyRestricts: false,
        },
        {
          kind: 'deny',
          rule: 'mcp://workshop/open(text=a*)',
          source: { file: found, line: 5, column: 12 },
          onlyRestricts: true,
        },
        {
          kind: 'deny',
          rule: 'resource:workshop',
          source: { file: found, line: 5, column: 44 },
          onlyRestricts: true,
        },
        {
          kind: 'ask',
          rule: { match: 'mcp://workshop/echo', arguments: { count: 3 } },
          source: { file: found, line: 4, column: 11 },
          onlyRestricts: true,
        },
        { kind: 'allow', rule: 'mcp://workshop/*', source: { flag: '--allow' }, onlyRestricts: false },
        {
          kind: 'allow',
          rule: 'mcp://workshop/open',
          source: { file: found, line: 3, column: 13 },
          onlyRestricts: true,
        },
      ],
      files: [
        { file: own, role: 'own', form: 'toolbridge', mode: 'plan' },
        { file: found, role: 'found', form: 'toolbridge', mode: 'ask' },
      ],
      trustAnnotations: [],
      notes: [],
    })
    expect((await permissions('list', '--deny', 'mcp:x')).stdout).toBe(
      [
        `Mode plan, from ${own}:1: every call is denied`,
        '',
        'Rules',
        '  deny  mcp:x',
        '        --deny',
        '  deny  mcp://careful/*',
        `        ${own}:2`,
        '  deny  mcp://workshop/open(text=a*)',
        `        ${found}:5 (only restricts)`,
        '  deny  resource:workshop',
        `        ${found}:5 (only restricts)`,
        '  ask   {"match":"mcp://workshop/echo","arguments":{"count":3}}',
        `        ${found}:4 (only restricts)`,
        '  allow mcp://workshop/open',
        `        ${found}:3 (only restricts)`,
        '',
        'Files',
        `  ${own}: your own, mode plan`,
        `  ${found}: found beside the configuration, only restricts, mode ask`,
        '',
      ].join('\n'),
    )
    expect(started).toEqual([])
  })

  test('says what has no effect, and what the form of core-agent means here', async () => {
    const useless = write('mcp.permissions.json', { allow: ['mcp:a'] })
    const named = write('core.json', { permissions: { mode: 'acceptEdits', deny: ['bash:rm *'] } })
    expect((await permissions('list')).stderr).toContain(
      `${useless}:1:11 /allow: warning: these "allow" rules have no effect`,
    )
    const { stderr, stdout } = await permissions('list', '--permissions', named)
    expect(stdout).toContain(`${named}: named by --permissions, in the form of core-agent, mode ask`)
    expect(stderr).toContain('mode "acceptEdits" is about the file tools of core-agent')
    expect(stderr).toContain('"bash:rm *" is about a tool of core-agent itself')
  })

  test('escapes control characters of rules', async () => {
    const { stdout } = await permissions('list', '--deny', 'mcp:a\u001bb\u202e')
    expect(stdout).toContain('deny  mcp:a')
    for (const character of ['\u001b', '\u202e']) expect(stdout).not.toContain(character)
    const { json } = await reported('list', '--deny', 'mcp:a\u001bb')
    expect(json['rules']).toMatchObject([{ rule: 'mcp:a\u001bb' }])
  })

  test('works without a configuration', async () => {
    const { code, stdout } = await runInProcess(['permissions', 'list'], {
      cwd: place.path,
      env: { HOME: place.path },
    })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'Mode allow, from the default: calls without a rule are allowed\n\nRules\n  none\n\nFiles\n  none\n',
    })
  })

  test('fits the terminal, and is colored unless NO_COLOR is set', async () => {
    const shown = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 50 })
      const terminal = { stdin: Readable.from([]), stdout, stderr: new PassThrough(), env, cwd: place.path }
      const { signal } = new AbortController()
      const args = [
        'permissions',
        'list',
        '--mode',
        'ask',
        '--deny',
        'mcp://workshop/open(text=a b c d e f g h i j k)',
      ]
      await run(args, { ...terminal, signal, interrupt: () => {} })
      stdout.end()
      return text(stdout)
    }
    const plain = await shown({ NO_COLOR: '1' })
    expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50)
    expect(plain).not.toContain('\u001b')
    expect(await shown({})).toContain('\u001b[31mdeny')
  })
})

describe('permissions test [S1-5] [S1-26]', () => {
  test.each<[readonly string[], number, object]>([
    [['workshop.open', 'text=b'], 0, { verdict: 'allow', reason: 'rule allow mcp://workshop/open' }],
    [['workshop/open', 'text=ab'], 4, { verdict: 'deny', reason: 'rule deny mcp://workshop/open(text=a*)' }],
    [['mcp://workshop/open', '{"text":"ab"}'], 4, { verdict: 'deny', arguments: { text: 'ab' } }],
    [['workshop.open', '--json', '{"text":"b"}'], 0, { arguments: { text: 'b' } }],
    [['workshop.fail'], 1, { verdict: 'ask', reason: 'mode ask' }],
    [['workshop.fail', '--allow', 'mcp://workshop/fail'], 0, { source: { flag: '--allow' } }],
    [['workshop.fail', '--mode', 'plan'], 4, { reason: 'mode plan', source: { flag: '--mode' } }],
    [['careful.fail'], 4, { reason: 'the definition of careful says deny' }],
  ])('%j ends with status %i', async (args, status, expected) => {
    write('mcp.permissions.json', rules)
    const { code, json } = await reported('test', ...args)
    expect(json).toMatchObject({ ...expected, isServerStarted: false })
    expect({ code, started }).toEqual({ code: status, started: [] })
  })

  test('says the same as the call itself', async () => {
    write('mcp.permissions.json', rules)
    for (const args of [['workshop.open', 'text=ab'], ['workshop.open', 'text=b'], ['workshop.fail']]) {
      const { code } = await permissions('test', ...args)
      const call = await place.run(['call', ...args])
      expect([args, code === 0]).toEqual([args, call.code !== 4])
    }
  })

  test('names the rule, its file and line', async () => {
    const file = write('mcp.permissions.json', rules)
    expect((await permissions('test', 'workshop.open', 'text=ab')).stdout).toBe(
      `workshop__open: denied\n  rule deny mcp://workshop/open(text=a*) (${file}:5)\n`,
    )
  })

  test.each<[string, readonly string[], number]>([
    ['annotations decide', ['careful.open'], 1],
    ['the name is a public one', ['workshop__open', 'text=b'], 0],
  ])('starts only the server that is needed where %s', async (_what, args, status) => {
    const { code, json } = await reported('test', ...args)
    expect({ code, isStarted: json['isServerStarted'] }).toEqual({ code: status, isStarted: true })
    expect(started).toEqual([args[0]?.split(/[._]/)[0]])
  })

  test('reads an argument as the type of the tool where that decides', async () => {
    write('mine.json', { allow: [{ match: 'mcp://workshop/echo', arguments: { count: 3 } }], mode: 'ask' })
    const { code, json } = await reported(
      'test',
      'workshop.echo',
      'text=ab',
      'count=3',
      '--permissions',
      'mine.json',
    )
    expect(json).toMatchObject({
      verdict: 'allow',
      arguments: { text: 'ab', count: 3 },
      isServerStarted: true,
    })
    expect(code).toBe(0)
  })

  test('a call that names a control file needs a person', async () => {
    const file = join(place.path, '.toolbridge/permissions.json')
    const { code, json } = await reported('test', 'workshop.open', `text=${file}`, '--mode', 'yolo')
    expect(code).toBe(1)
    expect(json).toMatchObject({ verdict: 'ask', reason: 'a control file', controlFile: file })
  })

  test('a stored approval is named', async () => {
    const store = fileGrantStore(join(place.path, '.toolbridge/terminal-grants'))
    const grant = {
      principal: 'local',
      server: 'workshop',
      definition: 'd',
      tool: 'open',
      pin: 'p',
      asks: [],
    }
    await store.add(grant)
    const { stdout } = await permissions('test', 'workshop.open', '--mode', 'ask')
    expect(stdout).toContain('A stored approval of this tool answers it')
    expect((await reported('test', 'workshop.fail', '--mode', 'ask')).json['hasStoredApproval']).toBe(false)
  })

  test.each([
    [['test'], 'missing tool'],
    [['test', 'workshop__opne'], 'unknown tool "workshop__opne". Did you mean "workshop__open"?'],
    [['test', 'mcp://workshop/%zz'], 'invalid percent-encoding'],
    [['test', 'workshop.open', 'text'], 'invalid argument "text"'],
    [['tset', 'x'], 'unknown command "permissions tset". Did you mean "permissions test"?'],
    [[], 'missing subcommand\n\nUsage: toolbridge permissions <command>'],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await permissions(...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })
})

describe('permissions explain [S1-5]', () => {
  test('lists each rule in order, why it does not match, which decides, and what to change', async () => {
    const found = write('mcp.permissions.json', rules)
    const args = ['workshop.open', 'text=ab', '--deny', 'mcp:other', '--ask', 'mcp://workshop/*']
    const { stdout, code } = await permissions('explain', ...args)
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'workshop__open: denied',
        '  rule deny mcp://workshop/open(text=a*)',
        '',
        'Your rules',
        '  deny  mcp:other  --deny',
        '        is about another tool',
        '  ask   mcp://workshop/*  --ask',
        '        matches, but does not decide',
        '  mode allow',
        '        applies if nothing else decides',
        '',
        `Rules of ${found}, which only restrict`,
        `→ deny  mcp://workshop/open(text=a*)  ${found}:5`,
        '        decides',
        `  deny  resource:workshop  ${found}:5`,
        '        is not about tools',
        `  ask   mcp://workshop/echo {"arguments":{"count":3}}  ${found}:4`,
        '        is about another tool',
        `  allow mcp://workshop/open  ${found}:3`,
        '        matches, but does not decide',
        '  mode ask',
        '        applies if nothing else decides',
        '',
        'What to change',
        `  Remove or narrow the rule of ${found}:5. Nothing overrides a deny.`,
        '',
      ].join('\n'),
    )
  })

  test.each<[readonly string[], string, string]>([
    [
      ['workshop.open'],
      'depends',
      'Give the arguments: toolbridge permissions test mcp://workshop/open <name>=<value> …',
    ],
    [['workshop.fail'], 'ask', "To approve it on the command line: --allow 'mcp://workshop/fail'."],
    [['workshop.fail', '--mode', 'plan'], 'deny', 'Choose another mode: it is set by --mode.'],
    [
      ['workshop.open', 'text=b'],
      'allow',
      `To forbid it: --deny 'mcp://workshop/open', or "deny": ["mcp://workshop/open"] in a rules file.`,
    ],
    [['careful.fail'], 'deny', 'Change the approval that the server has in '],
  ])('%j: %s, with advice', async (args, verdict, advice) => {
    write('mcp.permissions.json', rules)
    const { json } = await reported('explain', ...args)
    expect(json['verdict']).toBe(verdict)
    expect(json['advice']).toContainEqual(expect.stringContaining(advice))
  })

  test('a server whose annotations decide, and which does not start, is reported', async () => {
    const broken = workplace({ broken: { command: '/nonexistent', approval: { default: 'writes' } } })
    const { code, stderr } = await broken.run(['permissions', 'explain', 'broken.tool'])
    broken.remove()
    expect(code).toBe(3)
    expect(stderr).toContain('broken')
  })
})

describe('the published schema of a rules file', () => {
  test.each<[unknown, boolean]>([
    [JSON.parse(rules), true],
    [{ $schema: 'x', mode: 'plan', trustAnnotations: ['a*'], controlFiles: ['/x/*'] }, true],
    [{ deny: [{ match: 'mcp:a', annotations: { readOnlyHint: true }, principal: 'ci-*' }] }, true],
    [{ mode: 'acceptEdits' }, false],
    [{ denny: [] }, false],
    [{ deny: [{ match: 'mcp:a', when: 1 }] }, false],
    [{ deny: 'mcp:a' }, false],
  ])('%j: %j', (document, isValid) => {
    expect(schemaProblems(schemaNamed('permissions'), document).length === 0).toBe(isValid)
    const { issues } = readPermissions(JSON.stringify(document), { file: 'permissions.json' })
    expect(issues.length === 0).toBe(isValid)
  })
})
