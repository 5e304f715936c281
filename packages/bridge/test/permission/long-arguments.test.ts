import { describe, expect, test, vi } from 'vitest'
import { CallArguments, isLarge } from '../../src/permission/rules/call-arguments.ts'
import { compileArgument } from '../../src/permission/rules/argument-test.ts'
import { compileDecision } from '../../src/permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import { finished, finishedInTurns, type Steps } from '../../src/permission/readings/steps.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'

const tool: Subject = {
  namespace: 'mcp',
  server: 's',
  item: 't',
  name: 's__t',
  names: () => new Set(['s__t']),
}

const rules: PermissionRules = {
  mode: 'ask',
  allow: ['mcp://s/t(path=out/**, text=**)'],
  deny: ['mcp://s/*(path=/etc/**)', 'mcp://s/*(**=*needle*)', 'mcp://s/*(**.force=true)'],
}

const long = 'lorem ipsum '.repeat(10_000)

describe('arguments are large', () => {
  test.each<[string, unknown]>([
    ['with a long text', { text: 'x'.repeat(32_769) }],
    [
      'with long names',
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}${'x'.repeat(120)}`, 1])),
    ],
    ['with many values', { list: Array.from({ length: 1_001 }, () => 0) }],
    ['with many values in many lists', Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => 0))],
  ])('%s', (_title, args) => {
    expect(isLarge(args, 1)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['with a text', { text: 'x'.repeat(30_000) }],
    ['with some values', { list: Array.from({ length: 900 }, () => 0) }],
    ['without any', {}],
    ['with one that is null', { a: null }],
  ])('but not %s', (_title, args) => {
    expect(isLarge(args, 1)).toBe(false)
  })
})

test('with many rules, fewer values are many, and less text is much', () => {
  const args = { list: Array.from({ length: 100 }, (_, i) => `out/${i}`) }
  expect([isLarge(args, 100), isLarge(args, 1_000)]).toEqual([false, true])
  expect([isLarge({ a: long.slice(0, 2_000) }, 100), isLarge({ a: long.slice(0, 2_000) }, 1_000)]).toEqual([
    false,
    true,
  ])
})

test('a member that is undefined hides none of the others', () => {
  expect(isLarge({ text: long, none: undefined }, 1)).toBe(true)
})

test('many short tests of one call let others have their turns, too', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
  const order: string[] = []
  const others = new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('others'))))
  const tests = Array.from(
    { length: 40 },
    () =>
      function* (): Steps<boolean> {
        yield
        order.push('test')
        return false
      },
  )
  await new CallArguments({}, []).computeInTurns(tests, undefined)
  clock.mockRestore()
  await others
  expect(order.at(-1)).toBe('test')
})

test.each(['out/x', 'a/b'])('texts of a medium length are read in a turn of their own: %s', (name) => {
  const call = new CallArguments({}, [])
  expect(call.readingsOf(name.repeat(1_000)).next().done).toBe(false)
  expect(call.readingsOf(name).next().done).toBe(true)
})

test('the address of a resource is not read again for each rule', () => {
  let count = 0
  const resource: Subject = {
    namespace: 'resource',
    server: 's',
    get item() {
      count += 1
      return 'file:///srv/a'
    },
  }
  const deny = Array.from({ length: 50 }, (_, i) => `resource://*/file:///etc/${i}`)
  expect(compileDecision(resource, compileRules({ deny }))({}, 'ada').verdict).toBe('allow')
  expect(count).toBeLessThan(5)
})

test('a path with more names than can be opened leads where it leads when it comes back', () => {
  const path = `/proc/self/root/${'a/'.repeat(5_000)}${'../'.repeat(5_000)}proc/self/root/etc/x`
  const decide = compileDecision(tool, compileRules({ mode: 'allow', deny: ['mcp://s/*(path=/etc/**)'] }))
  expect(decide({ path }, 'ada').verdict).toBe('deny')
  expect(decide({ path: `/proc/self/root/${'a/'.repeat(5_000)}etc/x` }, 'ada').verdict).toBe('allow')
})

describe('in turns the same is decided as at once:', () => {
  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['allow', 'a long text', { path: 'out/a', text: long }],
    ['ask', 'a long path', { path: `out/${long}`, text: '' }],
    ['deny', 'a path with many detours', { path: `file:///${'a/../'.repeat(10_000)}etc/x`, text: '' }],
    ['deny', 'a word at the end', { path: 'out/a', text: `${long}%4EEEDLE` }],
    [
      'deny',
      'the last of many values',
      { path: 'out/a', list: [...Array<number>(5_000).fill(0), { force: 'yes' }] },
    ],
    ['deny', 'a value in a long JSON text', { path: 'out/a', text: JSON.stringify([long, { a: 'needle' }]) }],
    ['ask', 'many values', { list: Array.from({ length: 5_000 }, (_, i) => `out/${i}`) }],
  ])('%s %s', async (verdict, _title, args) => {
    const decide = compileDecision(tool, compileRules(rules))
    expect(decide.isLong(args)).toBe(true)
    expect((await decide.inTurns(args, 'ada')).verdict).toBe(verdict)
    expect(decide(args, 'ada').verdict).toBe(verdict)
    expect(decide.about(new CallArguments(args, []), 'ada').verdict).toBe(verdict)
  })

  test('and where no rule looks at arguments, none are long', async () => {
    const decide = compileDecision(tool, compileRules({ mode: 'allow', deny: ['mcp://x/*(a=b)'] }))
    expect(decide.isLong({ text: long })).toBe(false)
    expect(await decide.inTurns({ text: long }, 'ada')).toMatchObject({ verdict: 'allow' })
    expect(decide.about(new CallArguments({ text: long }, []), 'ada')).toMatchObject({ verdict: 'allow' })
  })
})

/** Work of so many steps, each of which takes a while. */
function* work(steps: number, onStep: (step: number) => void): Steps<string> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 3
    while (performance.now() < end);
    onStep(step)
    yield
  }
  return 'done'
}

describe('work in turns', () => {
  test('lets others have theirs before it ends', async () => {
    const order: string[] = []
    const others = new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('others'))))
    expect(
      await finishedInTurns(
        work(10, () => order.push('step')),
        undefined,
      ),
    ).toBe('done')
    await others
    expect(order.at(-1)).toBe('step')
    expect(order).toContain('others')
  })

  test('ends when nobody waits for it any more', async () => {
    const controller = new AbortController()
    const steps: number[] = []
    const working = finishedInTurns(
      work(1_000, (step) => {
        steps.push(step)
        if (step === 5) controller.abort(new Error('nobody waits'))
      }),
      controller.signal,
    )
    await expect(working).rejects.toThrow('nobody waits')
    expect(steps.length).toBeLessThan(1_000)
  })

  test('is the same at once', () => {
    expect(finished(work(2, () => undefined))).toBe('done')
  })
})

test('a test of arguments is made once for a call, and a value is read once', () => {
  let count = 0
  const call = new CallArguments({ path: 'a' }, [])
  const counting = function* (): Steps<boolean> {
    count += 1
    yield
    return false
  }
  expect([call.holds(counting), call.holds(counting), count]).toEqual([false, false, 1])
  expect(finished(call.readingsOf('x'))).toBe(finished(call.readingsOf('x')))
  expect(finished(call.inPlaces('x'))).toBe(finished(call.inPlaces('x')))
  const leaves = () => finished(call.leavesAround(['path'], { names: false }))
  expect(leaves()).toBe(leaves())
  expect(call.open('[1]')).toBe(call.open('[1]'))
})

test('rules about different arguments, names and values do not share what they found', () => {
  const args = { a: { '/etc/x': 'b' }, c: '/etc/y' }
  const test = (path: readonly string[], glob: string) =>
    compileArgument({ path, conditions: [{ kind: 'glob', glob }] }, { narrows: true })
  const call = new CallArguments(args, [])
  const held = [
    test(['a'], '/etc/**'),
    test(['a'], 'b'),
    test(['a'], '*etc*'),
    test(['c'], '/etc/x'),
    test(['c'], '/etc/y'),
    test(['a', 'c'], '/etc/**'),
  ].map((each) => call.holds(each))
  expect(held).toEqual([true, true, false, false, true, false])
})
