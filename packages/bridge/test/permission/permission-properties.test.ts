import { openBridge } from '@toolbridge/bridge'
import { localAuthority } from '@toolbridge/bridge/config'
import { explainPermission } from '@toolbridge/bridge/permissions'
import { type NamingPolicy, defaultNaming } from '@toolbridge/client/internal'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BridgeTool, Catalog } from '../../src/catalog/catalog.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { approvalDetail, shownArguments } from '../../src/permission/approvals/approvals.ts'
import { compileArgument } from '../../src/permission/rules/argument-test.ts'
import { CallArguments } from '../../src/permission/rules/call-arguments.ts'
import { compileDecision, type Decision } from '../../src/permission/rules/decide.ts'
import { compileValueGlob } from '../../src/text/glob.ts'
import {
  type ArgumentCondition,
  compileRules,
  type PermissionRule,
  type PermissionRules,
} from '../../src/permission/rules/rules.ts'
import { toolSubject } from '../../src/permission/rules/subject.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const numRuns = process.env['TOOLBRIDGE_LONG'] === undefined ? 300 : 3_000

const part = fc.oneof(
  fc.constantFrom('a', 'b', 'a_b', 'a-b', 'read', 'read_file', 'read-file', 'Read File', 'delete', '読む'),
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', ' ', 'é', '('), minLength: 1, maxLength: 80 }),
)
const pair = fc.record({ server: part, tool: part })
const naming: fc.Arbitrary<NamingPolicy> = fc.record({
  separator: fc.constantFrom('-', '_', '.', '__', 'none'),
  sanitize: fc.constantFrom('kebab', 'identifier', 'namespace-only', 'none'),
  maxLength: fc.constantFrom(64, Number.POSITIVE_INFINITY),
  onCollision: fc.constant('suffix'),
})
const args = fc.dictionary(
  fc.constantFrom('path', 'a', 'b'),
  fc.constantFrom('/etc/passwd', '/code/x', '/code/../etc', 1, true, ['x'], { x: 'y' }),
  { noNullPrototype: true },
)
const principal = fc.constantFrom('alice', 'bob')

/** Rules that are about the tool more often than not. */
function ruleAbout(pattern: string): fc.Arbitrary<string | PermissionRule> {
  const condition: fc.Arbitrary<ArgumentCondition> = fc.constantFrom('/etc/**', '/code/**', '*', 1, true)
  return fc.oneof(
    fc.constant(pattern),
    fc.constantFrom(`${pattern}(path=/etc/**)`, `${pattern}(a=*)`, `${pattern}(**=1)`),
    fc.record(
      {
        match: fc.constant(pattern),
        principal,
        arguments: fc.dictionary(fc.constantFrom('path', '/a', 'b.x'), condition, { noNullPrototype: true }),
        annotations: fc.constantFrom({ readOnlyHint: true }, { destructiveHint: true }),
      },
      { requiredKeys: ['match'] },
    ),
  )
}

function patternsOf(tool: BridgeTool): fc.Arbitrary<string> {
  return fc.constantFrom(
    tool.uri,
    `mcp:${tool.name.replaceAll(/^ +| +$|\(/g, '*')}`,
    'mcp:*',
    'mcp://*/*',
    'mcp://zzz/*',
  )
}

function rulesAbout(tool: BridgeTool): fc.Arbitrary<readonly (string | PermissionRule)[]> {
  return fc.array(patternsOf(tool).chain(ruleAbout), { maxLength: 4 })
}

function toolOf({ server, tool }: { server: string; tool: string }, policy: NamingPolicy): BridgeTool {
  const catalog = new Catalog(createEmit(undefined), policy)
  catalog.show([{ name: server, tools: [{ name: tool, inputSchema: {} }] }])
  const [found] = catalog.tools
  if (found === undefined) throw new Error('there is no tool')
  return found
}

function decided(
  tool: BridgeTool,
  rules: PermissionRules,
  call: { readonly args: Readonly<Record<string, unknown>>; readonly principal: string },
): Decision {
  return compileDecision(toolSubject(tool), compileRules(rules))(call.args, call.principal)
}

const call = fc.record({ args, principal })
const mode = fc.constantFrom('ask' as const, 'allow' as const, 'yolo' as const)
const strictness = { allow: 0, ask: 1, deny: 2 }

/** A tool, the names it has in two styles, and rules that are about it. */
const situation = fc.tuple(pair, naming, naming).chain(([names, before, after]) => {
  const [old, fresh] = [toolOf(names, before), toolOf(names, after)]
  const rules = fc.record({ mode, deny: rulesAbout(old), ask: rulesAbout(old), allow: rulesAbout(old) })
  return fc.record({ old: fc.constant(old), fresh: fc.constant(fresh), rules, more: rulesAbout(old), call })
})

test('adding an allow never widens what a deny forbids, in any naming', () => {
  fc.assert(
    fc.property(situation, ({ old, fresh, rules, more, call: made }) => {
      const before = decided(old, rules, made)
      if (before.verdict !== 'deny') return
      const wider = { ...rules, allow: [...rules.allow, ...more] }
      expect(decided(old, wider, made).verdict).toBe('deny')
      expect(decided(fresh, wider, made).verdict).toBe('deny')
    }),
    { numRuns },
  )
})

test('another naming never makes less of a rule that asks', () => {
  fc.assert(
    fc.property(situation, ({ old, fresh, rules, call: made }) => {
      const narrow = { mode: rules.mode, ask: rules.ask }
      const [before, after] = [decided(old, narrow, made), decided(fresh, narrow, made)]
      expect(strictness[after.verdict]).toBeGreaterThanOrEqual(strictness[before.verdict])
    }),
    { numRuns },
  )
})

test('adding a deny or an ask never lets through what was not', () => {
  fc.assert(
    fc.property(situation, fc.constantFrom('deny' as const, 'ask' as const), (given, kind) => {
      const { old, rules, more, call: made } = given
      const narrower = { ...rules, [kind]: [...rules[kind], ...more] }
      expect(strictness[decided(old, narrower, made).verdict]).toBeGreaterThanOrEqual(
        strictness[decided(old, rules, made).verdict],
      )
    }),
    { numRuns },
  )
})

test('reordering rules changes nothing', () => {
  fc.assert(
    fc.property(situation, ({ old, rules, call: made }) => {
      const reordered = {
        mode: rules.mode,
        allow: rules.allow.toReversed(),
        ask: rules.ask.toReversed(),
        deny: rules.deny.toReversed(),
      }
      expect(decided(old, reordered, made)).toEqual(decided(old, rules, made))
    }),
    { numRuns },
  )
})

test('what a deny looks for is found wherever it stands and however long the arguments are [d.6-2] [C28]', () => {
  const text = fc.tuple(fc.string({ maxLength: 2_000 }), fc.string({ maxLength: 2_000 }))
  const place = fc.array(fc.constantFrom('a', 'b', 'list'), { minLength: 1, maxLength: 5 })
  const tool = toolOf({ server: 's', tool: 't' }, defaultNaming)
  fc.assert(
    fc.property(text, place, fc.json(), ([before, after], steps, other) => {
      const hidden: unknown = steps.reduceRight<unknown>(
        (inner, step) => (step === 'list' ? [inner, 1] : { [step]: inner }),
        `${before}NEEDLE${after}`,
      )
      const made = { args: { other: JSON.parse(other), hidden }, principal: 'alice' }
      expect(decided(tool, { mode: 'yolo', deny: ['mcp:s__t(**=*needle*)'] }, made).verdict).toBe('deny')
    }),
    { numRuns },
  )
})

const step = fc.constantFrom('etc', 'work', 'a', '..', '.', '', '...', 'ETC', '%2e%2e', 'wörk')
const path = fc.array(step, { minLength: 1, maxLength: 8 }).map((steps) => `/${steps.join('/')}`)
const files = toolOf({ server: 's', tool: 't' }, defaultNaming)

test('a folder that is allowed is never left, and one that is denied never reached, whatever the way', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('etc', 'work'), (value, folder) => {
      const resolved = posix.resolve(value)
      const made = { args: { path: value }, principal: 'alice' }
      const allowed = decided(files, { allow: [`mcp:s__t(path=/${folder}/**)`] }, made)
      if (allowed.verdict === 'allow') expect(resolved.startsWith(`/${folder}/`)).toBe(true)
      const denied = decided(files, { mode: 'yolo', deny: [`mcp:s__t(path=/${folder}/**)`] }, made)
      if (`${resolved}/`.startsWith(`/${folder}/`)) expect(denied.verdict).toBe('deny')
    }),
    { numRuns },
  )
})

const oddStep = fc.constantFrom(
  'etc',
  'a',
  '..',
  '.',
  '',
  'https:',
  'file:',
  '%2e%2e',
  'x\\y',
  '\\',
  ' ',
  'ETC',
  '?',
)
const oddPath = fc
  .tuple(
    fc.constantFrom('/', '', '~/', './', 'x://', 'file:/'),
    fc.array(oddStep, { minLength: 1, maxLength: 8 }),
  )
  .map(([beginning, steps]) => `${beginning}${steps.join('/')}`)

function argumentTest(glob: string, narrows: boolean) {
  const test = compileArgument({ path: ['path'], conditions: [{ kind: 'glob', glob }] }, { narrows })
  return (args: { readonly path: string }, folders: readonly string[]): boolean =>
    new CallArguments(args, folders).holds(test)
}

test('what a server makes of a text is seen through, whatever it makes of it', () => {
  const folder = '/a/b'
  const test = (glob: string, narrows: boolean) => argumentTest(glob, narrows)
  const [isDenied, isAllowed] = [test('/etc/**', true), test('/a/**', false)]
  fc.assert(
    fc.property(oddPath, (value) => {
      const [decoded, inHome] = [decodeURIComponent(value), value.replace(/^~(?=\/)/, homedir())]
      const meant = [value, decoded, value.trim(), inHome].map((each) => posix.resolve(folder, each))
      if (meant.some((each) => `${each.toLowerCase()}/`.startsWith('/etc/')))
        expect(isDenied({ path: value }, [folder])).toBe(true)
      if (isAllowed({ path: value }, [folder]))
        expect(meant.filter((each) => !`${each}/`.startsWith('/a/'))).toEqual([])
    }),
    { numRuns: numRuns * 10 },
  )
})

const windowsPath = fc
  .tuple(
    fc.constantFrom('', '/', '\\', 'C:', 'C:/', 'c:\\', '\\\\?\\C:\\', '//./C:/'),
    fc.array(fc.constantFrom('etc', 'a', '..', '.', '', 'ETC', 'C:', 'D:', '~', '?'), {
      minLength: 1,
      maxLength: 7,
    }),
    fc.constantFrom('/', '\\'),
  )
  .map(([beginning, steps, slash]) => `${beginning}${steps.join(slash)}`)

test('a path of Windows is seen through as well', () => {
  const folder = String.raw`C:\a\b`
  const isDenied = argumentTest('C:/etc/**', true)
  fc.assert(
    fc.property(windowsPath, (value) => {
      const meant = win32
        .resolve(folder, value)
        .replace(/^\\\\[?.]\\/, '')
        .toLowerCase()
      if (`${meant}\\`.startsWith('c:\\etc\\')) expect(isDenied({ path: value }, [folder])).toBe(true)
    }),
    { numRuns: numRuns * 10, examples: [['//./C:/../../C:/etc'], ['//./C:/../C:/etc'], ['C:../../etc']] },
  )
})

test('a long path takes a moment', () => {
  for (const value of [
    `/proc/self${'/x'.repeat(300_000)}`,
    '/..'.repeat(300_000),
    `a${' .'.repeat(300_000)}b`,
  ]) {
    const made = { args: { path: value }, principal: 'alice' }
    const rules = {
      mode: 'yolo',
      deny: ['mcp:s__t(path=/etc/**)'],
      allow: ['mcp:s__t(path=/a/*/b)'],
    } as const
    expect(decided(files, rules, made).verdict).toBe('allow')
  }
})

test('a file address is the file that it means', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('file://', 'file:', 'FILE://localhost'), (value, scheme) => {
      const address = `${scheme}${value.replace(/^\/+/, '/')}`
      const resolved = fileURLToPath(address)
      const made = { args: { path: address }, principal: 'alice' }
      const denied = decided(files, { mode: 'yolo', deny: ['mcp:s__t(path=/etc/**)'] }, made)
      if (`${resolved}/`.startsWith('/etc/')) expect(denied.verdict).toBe('deny')
    }),
    { numRuns },
  )
})

test('a glob for values means what a regular expression would', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**', '\\*', '.')
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), text, fc.boolean(), (pieces, value, loose) => {
      const glob = pieces.join('')
      const expected = [...glob.matchAll(/\\(.)|(\*+)|(.)/g)].map(([, escaped, stars, plain]) => {
        if (stars !== undefined) return stars.length > 1 || loose ? '[^]*' : '[^/]*'
        return `[${escaped ?? plain ?? ''}]`
      })
      const matches = new RegExp(`^${expected.join('')}$`).test(value)
      expect(compileValueGlob(glob, { loose })(value)).toBe(matches)
    }),
    { numRuns: numRuns * 3 },
  )
})

const helloRule = fc.constantFrom('mcp:*', 'mcp://hello/*', 'mcp:hello__hello(name=Ada)', 'mcp://other/*')
const helloRules = {
  allow: fc.array(helloRule, { maxLength: 2 }),
  ask: fc.array(helloRule, { maxLength: 2 }),
  deny: fc.array(helloRule, { maxLength: 2 }),
}
const helloSets: fc.Arbitrary<PermissionRules> = fc.record({
  mode: fc.constantFrom('ask', 'allow', 'yolo', 'plan'),
  ...helloRules,
})
const helloPermissions = fc.record({
  rules: helloSets,
  restrictedBy: fc.array(helloSets, { maxLength: 2 }),
  approve: fc.array(helloRule, { maxLength: 1 }),
})

test('an explanation agrees with the bridge, and exactly one step decides', async () => {
  const hello = inMemory('hello')
  await fc.assert(
    fc.asyncProperty(helloPermissions, fc.constantFrom('Ada', 'Bob'), async ({ rules, ...more }, name) => {
      const permissions = { ...rules, ...more }
      await using bridge = await openBridge({ ...permissive([hello]), permissions })
      const decided = await bridge.permissionFor('hello__hello', { name })
      const call = { server: hello, tool: 'hello', arguments: { name }, principal: 'local' }
      const { verdict, reason, steps } = await explainPermission(permissions, {
        ...call,
        authority: localAuthority(),
      })
      expect({ verdict, reason }).toEqual(decided)
      expect(steps.filter(({ decides }) => decides)).toHaveLength(1)
    }),
    { numRuns: 30 },
  )
})

test('the shown detail is the tool and its arguments, at most 200 characters, none cut in half [S1-30] [d.6-2]', () => {
  expect(approvalDetail('t', { a: 1 })).toBe('t {"a":1}')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 150, maxLength: 300 }), (text) => {
      const detail = approvalDetail('tool', { text })
      expect(Array.from(detail).length).toBeLessThanOrEqual(200)
      expect(detail).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test('all arguments are shown up to 64 Ki characters, and the number of those left out is told', () => {
  const harmless = 'x'.repeat(60_000)
  expect(shownArguments({ harmless, command: 'rm -rf /' })).toMatchObject({
    text: expect.stringContaining('"command": "rm -rf /"'),
    omitted: 0,
  })
  fc.assert(
    fc.property(fc.integer({ min: 65_500, max: 65_600 }), (length) => {
      const args = { text: `${'x'.repeat(length)}😀😀😀` }
      const { text, omitted } = shownArguments(args)
      expect(text.length + omitted).toBe(JSON.stringify(args, null, 2).length)
      expect(text.length).toBeLessThanOrEqual(65_536)
      // Not `toMatch`, which formats the text each time.
      expect(/\p{Surrogate}/u.test(text)).toBe(false)
    }),
  )
})

test('what cannot be seen in arguments, or moves what can, is written out for the person who decides', () => {
  const args = {
    to: 'ada\u202Egro.live@\u202C',
    text: 'hi\u{E0041}\u{E0042}\u200B\u00AD',
    del: '\u007F\u009B2J',
    line: '\u2028',
  }
  const written = String.raw`"to":"ada\u202egro.live@\u202c","text":"hi\udb40\udc41\udb40\udc42\u200b\u00ad","del":"\u007f\u009b2J","line":"\u2028"`
  expect(approvalDetail('t', args)).toBe(`t {${written}}`)
  const { text, omitted } = shownArguments(args)
  expect(JSON.parse(text)).toEqual(args)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Default_Ignorable_Code_Point}]/u)
  expect(omitted).toBe(0)
})
