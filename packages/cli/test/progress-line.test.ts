import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ProgressLine } from '../src/display/progress-line.ts'

function line(isTTY: boolean): { readonly shown: ProgressLine; readonly text: () => string } {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 20 })
  const { signal } = new AbortController()
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const terminal = { stdin, stdout, stderr, env: {}, cwd: '/', signal, interrupt: () => {} }
  return { shown: new ProgressLine(terminal), text: () => String(stderr.read() ?? '') }
}

test('progress replaces the line, fits the width, has no control characters, and is removed at the end', () => {
  const { shown, text } = line(true)
  shown.show({ progress: 1 })
  shown.show({ progress: 2, total: 4, message: 'reading \u001b[31ma long\nname of a file' })
  shown.clear()
  shown.clear()
  expect(text().split('\r\u001b[2K')).toEqual(['', '… 1', '… 2/4 reading a lo…', ''])
})

test('without a terminal nothing is shown', () => {
  const { shown, text } = line(false)
  shown.show({ progress: 1 })
  shown.clear()
  expect(text()).toBe('')
})
