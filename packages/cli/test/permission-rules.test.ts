import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { put } from './folders.ts'
import { type InProcessOptions, runInProcess } from './in-process.ts'
import type { Finished } from './transcript.ts'
import { linkWorkshop, type Workplace, workplace, workshop } from './workshop.ts'

let place: Workplace
beforeEach(() => {
  place = workplace({ workshop, careful: { ...workshop, approval: { default: 'ask' } } })
})
afterEach(() => place.remove())

const write = (path: string, content: unknown): string => put(place.path, path, content)

const call = ['call', 'workshop.open', 'text=ab']
const made = { code: 0, stdout: '{"text":"ab"}\n', stderr: '' }

describe('rules on the command line [S1-5]', () => {
  test.each<[readonly string[], number, string]>([
    [
      ['--deny', 'mcp://workshop/open'],
      4,
      'denied: workshop__open may not be called: rule deny mcp://workshop/open',
    ],
    [
      ['--deny', 'mcp://x/*', '--deny', 'mcp:workshop__open(text=a*)'],
      4,
      'rule deny mcp:workshop__open(text=a*)',
    ],
    [['--deny', 'mcp:*', '--allow', 'mcp:*', '--yes', '--mode', 'yolo'], 4, 'rule deny mcp:*'],
    [
      ['--ask', 'mcp://workshop/*'],
      4,
      'needs an approval (rule ask mcp://workshop/*). Run the command at a terminal',
    ],
    [['--mode', 'ask'], 4, 'needs an approval (mode ask)'],
    [['--mode', 'plan', '--allow', 'mcp:*'], 4, 'mode plan'],
  ])('%j', async (flags, code, message) => {
    const result = await place.run([...call, ...flags])
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(message)
  })

  test.each([
    [['--mode', 'ask', '--allow', 'mcp://workshop/open']],
    [['--ask', 'mcp:*', '--allow', 'mcp:workshop__open(text=a*)']],
    [['--ask', 'mcp:*', '--mode', 'yolo']],
    [['--ask', 'mcp:*', '--yes']],
    [['--deny', 'mcp:workshop__open(text=b*)']],
  ])('%j lets the call through', async (flags) => {
    expect(await place.run([...call, ...flags])).toEqual(made)
  })

  test.each([
    [
      ['--deny', 'mpc://a/b'],
      'invalid --deny: "mpc://a/b" is not a permission pattern: it does not start with a namespace; did you mean "mcp:"?',
    ],
    [['--ask', 'elicitation:x'], 'invalid --ask: "elicitation:x" cannot be in "ask"'],
    [['--mode', 'yoloo'], 'invalid --mode: unknown permission mode "yoloo"; did you mean "yolo"?'],
    [['--permissions', 'none.json'], 'none.json: error: file not found'],
  ])('%j is refused before a server is started', async (flags, message) => {
    const transportOf = (): never => {
      throw new Error('a server was started')
    }
    for (const command of [
      call,
      ['tools'],
      ['resources'],
      ['prompts'],
      ['complete', 'review', 'tone=e'],
      ['generate'],
    ]) {
      const { code, stdout, stderr } = await place.run([...command, ...flags], { transportOf })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
  })
})

describe('a rules file', () => {
  test('beside the configuration holds, and its invalid rules end the command with line and fix', async () => {
    const file = write('mcp.permissions.json', { deny: ['mcp://workshop/open(text=a*)'] })
    const denied = await place.run(call)
    expect(denied).toMatchObject({ code: 4, stdout: '' })
    expect(denied.stderr).toContain('rule deny mcp://workshop/open(text=a*)')
    expect((await place.run(['call', 'workshop.open', 'text=b'])).code).toBe(0)

    write('mcp.permissions.json', '{\n  "mode": "ask",\n  "denny": []\n}')
    const { code, stderr } = await place.run(call)
    expect(code).toBe(2)
    expect(stderr).toContain(
      `${file}:3:12 /denny: error: unknown field "denny" in permission rules (did you mean "deny"?`,
    )
  })

  test('in the folder of the user holds for every configuration, and flags take precedence for the mode', async () => {
    write('.toolbridge/permissions.json', { mode: 'ask', deny: ['mcp://workshop/fail'] })
    expect((await place.run(call)).stderr).toContain('needs an approval (mode ask)')
    expect(await place.run([...call, '--mode', 'allow'])).toEqual(made)
    expect((await place.run(['call', 'workshop.fail', '--mode', 'yolo'])).stderr).toContain(
      'rule deny mcp://workshop/fail',
    )
  })

  test('that is named replaces those beside the configuration, not those of the user', async () => {
    write('.toolbridge/permissions.json', { deny: ['mcp://workshop/fail'] })
    write('mcp.permissions.json', { mode: 'plan' })
    write('mine.json', { mode: 'ask', allow: ['mcp://workshop/*'] })
    expect((await place.run(call)).stderr).toContain('mode plan')
    const named = ['--permissions', 'mine.json']
    expect(await place.run([...call, ...named])).toEqual(made)
    expect((await place.run(['call', 'workshop.fail', ...named])).stderr).toContain(
      'rule deny mcp://workshop/fail',
    )
  })

  test('of the user is not read twice where it is also beside the configuration', async () => {
    write('.toolbridge/mcp.json', { mcpServers: { workshop } })
    write('.toolbridge/permissions.json', { mode: 'ask', allow: ['mcp://workshop/open'] })
    const options: InProcessOptions = {
      cwd: place.path,
      transportOf: linkWorkshop,
      env: { HOME: place.path },
    }
    const result = await runInProcess([...call, '--mcp', '.toolbridge/mcp.json', '--mode', 'allow'], options)
    // Found, it would be a restriction, which a flag does not lift.
    expect(result).toEqual(made)
  })
})

describe('a file that was found only restricts [C19]', () => {
  test.each<[object, readonly string[], string]>([
    [{ mode: 'yolo', allow: ['mcp:*'] }, ['--ask', 'mcp://workshop/*'], 'rule ask mcp://workshop/*'],
    [{ mode: 'yolo', allow: ['mcp:*'] }, ['--deny', 'mcp://workshop/*'], 'rule deny mcp://workshop/*'],
    [{ mode: 'yolo', allow: ['mcp:*'] }, ['--mode', 'ask'], 'mode ask'],
    [{ mode: 'ask' }, ['--mode', 'yolo'], 'mode ask'],
  ])('%j with %j', async (rules, flags, reason) => {
    write('mcp.permissions.json', rules)
    const { code, stderr } = await place.run([...call, ...flags])
    expect(code).toBe(4)
    expect(stderr).toContain(reason)
  })

  test('its own list of allowed tools counts for its own mode', async () => {
    write('mcp.permissions.json', { mode: 'ask', allow: ['mcp://workshop/open'] })
    expect(await place.run(call)).toEqual(made)
    expect((await place.run(['call', 'workshop.fail'])).stderr).toContain('needs an approval (mode ask)')
  })

  test('it does not answer what a definition asks', async () => {
    write('mcp.permissions.json', { mode: 'yolo', allow: ['mcp:*'] })
    expect((await place.run(['call', 'careful.open', 'text=ab'])).stderr).toContain(
      'the definition of careful says ask',
    )
  })
})

describe("core-agent's settings", () => {
  function inProject(args: readonly string[]): Promise<Finished> {
    return runInProcess([...args, '--mcp', join(place.path, '.agents/mcp.json')], {
      cwd: place.path,
      transportOf: linkWorkshop,
      env: { HOME: place.path },
    })
  }
  beforeEach(() => {
    write('.agents/mcp.json', {
      version: 1,
      servers: { workshop: { transport: 'stdio', ...workshop } },
    })
  })

  test('beside its configuration allow exactly the tools they list; the others need an approval [S1-27] [S1-28]', async () => {
    write('.agents/config.json', { version: 1, permissions: { allow: ['mcp:workshop_open'] } })
    expect(await inProject(call)).toEqual(made)
    expect((await inProject(['call', 'workshop_fail'])).stderr).toContain('needs an approval (mode ask)')
  })

  test('with mode yolo do not gate a call, and widen nothing unless the user names them [S1-31]', async () => {
    const file = write('.agents/config.json', { permissions: { mode: 'yolo' } })
    expect(await inProject(call)).toEqual(made)
    const asked = [...call, '--ask', 'mcp:*']
    expect((await inProject(asked)).stderr).toContain('rule ask mcp:*')
    expect(await inProject([...asked, '--permissions', file])).toEqual(made)
  })
})

describe('what is denied is denied for every command [S1-5] [S1-26]', () => {
  test('tools names the rule, and generate leaves the tool out', async () => {
    write('mcp.permissions.json', { deny: ['mcp://workshop/open', 'mcp:*(text=x)'] })
    const tools = await place.run(['tools', '--filter', 'anything', '--server', 'workshop'])
    expect(tools.stdout).toContain(
      'workshop__open(text?: string)\n      denied: rule deny mcp://workshop/open\n',
    )
    expect(tools.stdout.match(/denied/g)).toHaveLength(1)
    const json = JSON.parse((await place.run(['tools', '--format', 'json'])).stdout)
    expect(json.tools.filter((tool: { denied?: string }) => tool.denied !== undefined)).toMatchObject([
      { name: 'workshop__open', denied: 'rule deny mcp://workshop/open' },
    ])
    const generated = await place.run(['generate', '--server', 'workshop'])
    expect(generated.stderr).toBe('toolbridge: left out tools that are denied: workshop__open\n')
    expect(generated.stdout).not.toContain('mcp://workshop/open')
    expect(generated.stdout).toContain('mcp://workshop/fail')
  })

  test.each([
    [['resources', 'read', 'note://two', '--server', 'workshop'], 'resource:workshop'],
    [['prompts', 'get', 'review', 'text=a', '--server', 'workshop'], 'prompt://workshop/review'],
    [['complete', 'review', 'tone=e', '--server', 'workshop'], 'prompt:workshop'],
  ])('%j', async (command, rule) => {
    expect(await place.run(command)).toMatchObject({ code: 0, stderr: '' })
    const denied = await place.run([...command, '--deny', rule])
    expect(denied).toMatchObject({ code: 4, stdout: '' })
    expect(denied.stderr).toContain(`rule deny ${rule}`)
    const asked = await place.run([...command, '--ask', rule])
    expect(asked).toMatchObject({ code: 4, stdout: '' })
    expect(asked.stderr).toContain(
      'Run the command at a terminal to answer, or approve it with --allow <rule>\n',
    )
    expect(await place.run([...command, '--ask', rule, '--allow', rule])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })
})

test('a call that names a rules file needs a person, whatever allows it', async () => {
  const rules = join(place.path, 'mcp.permissions.json')
  for (const flags of [[], ['--mode', 'yolo'], ['--allow', 'mcp:*']]) {
    const { code, stderr } = await place.run(['call', 'workshop.open', `text=${rules}`, ...flags])
    expect(code).toBe(4)
    expect(stderr).toContain('a control file')
  }
})
