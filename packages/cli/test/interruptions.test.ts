import { expect, test } from 'vitest'
import { Interruptions } from '../src/interruptions.ts'

function interruptions(): { readonly happened: string[]; readonly all: Interruptions } {
  const happened: string[] = []
  const all = new Interruptions(() => happened.push('exit'))
  all.signal.addEventListener('abort', () => happened.push('end'))
  return { happened, all }
}

test('Ctrl-C ends everything in order, and at once when it comes again', () => {
  const { happened, all } = interruptions()
  all.interrupt()
  expect(all.signal.reason).toMatchObject({ name: 'AbortError' })
  all.interrupt()
  expect(happened).toEqual(['end', 'exit'])
})

test('a Ctrl-C that was taken ends nothing, and the next one ends everything', () => {
  const { happened, all } = interruptions()
  using _taken = all.take(() => happened.push('taken'))
  all.interrupt()
  expect(happened).toEqual(['taken'])
  all.interrupt()
  expect(happened).toEqual(['taken', 'end'])
})

test('SIGTERM and SIGHUP cannot be taken', () => {
  const { happened, all } = interruptions()
  using _taken = all.take(() => happened.push('taken'))
  all.end()
  expect(happened).toEqual(['end'])
})

test('what has been disposed takes nothing, also if something else has taken Ctrl-C since', () => {
  const { happened, all } = interruptions()
  const first = all.take(() => happened.push('first'))
  const second = all.take(() => happened.push('second'))
  first[Symbol.dispose]()
  all.interrupt()
  second[Symbol.dispose]()
  all.interrupt()
  expect(happened).toEqual(['second', 'end'])
})
