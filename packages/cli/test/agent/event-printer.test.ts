import { PassThrough, Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { EventPrinter } from '../../src/agent/event-printer.ts'
import { colorsFor } from '../../src/colors.ts'
import type { Terminal } from '../../src/terminal.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A printer, and a function that returns what it has printed since the last call. */
function printerWithOutput(isStderrTty = false): {
  readonly printer: EventPrinter
  readonly printed: () => string
} {
  const output = new PassThrough()
  const terminal: Terminal = {
    stdin: Readable.from([]),
    stdout: output,
    stderr: output,
    isStderrTty,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    interrupt: () => {},
  }
  const printer = new EventPrinter(terminal, {
    colors: colorsFor(terminal, terminal.stderr),
    isStreamed: true,
    showsCalls: true,
  })
  return { printer, printed: () => String(output.read() ?? '') }
}

const call = { type: 'tool.called', callId: '1', tool: 'docs__lookup', input: { word: 'a' } } as const

test('an answer and calls do not share a line', () => {
  const { printer, printed } = printerWithOutput()
  printer.show({ type: 'text', text: 'I look' })
  printer.show(call)
  printer.show({ type: 'text', text: 'Found.\n' })
  printer.show({ type: 'step.finished', step: 1, tokens: 1 })
  printer.endLine()
  expect(printed()).toBe('I look\n→ docs__lookup {"word":"a"}\nFound.\n')
})

test('nothing is printed while questions are on the terminal, and everything after them, in order', () => {
  const { printer, printed } = printerWithOutput()
  printer.show({ type: 'text', text: 'I look' })
  const [first, second] = [printer.pause(), printer.pause()]
  expect(printed()).toBe('I look\n')
  printer.show(call)
  printer.show({ type: 'tool.finished', callId: '1', tool: 'docs__lookup', error: 'lost' })
  first()
  expect(printed()).toBe('')
  second()
  expect(printed()).toBe('→ docs__lookup {"word":"a"}\n✗ docs__lookup: lost\n')
})

const [notice, removal] = ['… waiting for the model', '\r\u001b[2K']

test('a terminal says that the model is waited for, a second after each request, until it answers', () => {
  vi.useFakeTimers()
  const { printer, printed } = printerWithOutput(true)
  printer.start()
  vi.advanceTimersByTime(999)
  expect(printed()).toBe('')
  vi.advanceTimersByTime(1)
  expect(printed()).toBe(notice)
  printer.show({ type: 'step.started', step: 1 })
  printer.show({ type: 'text', text: 'I look' })
  vi.advanceTimersByTime(5_000)
  expect(printed()).toBe(`${removal}I look`)
  printer.show(call)
  vi.advanceTimersByTime(5_000)
  expect(printed()).toBe('\n→ docs__lookup {"word":"a"}\n')
  printer.show({ type: 'step.finished', step: 1, tokens: 1 })
  vi.advanceTimersByTime(5_000)
  expect(printed()).toBe(notice)
  printer.pause()
  expect(printed()).toBe(removal)
  printer.endLine()
  vi.advanceTimersByTime(5_000)
  expect(printed()).toBe('')
})

test('nothing is said about waiting where no person reads it', () => {
  vi.useFakeTimers()
  const { printer, printed } = printerWithOutput()
  printer.start()
  vi.advanceTimersByTime(5_000)
  expect(printed()).toBe('')
})
