import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { type Workplace, workplace } from './workshop.ts'

const escape = '\u001b'

let place: Workplace
let screen: PseudoTerminal | undefined
beforeAll(() => {
  place = workplace()
})
afterEach(() => screen?.end())
afterAll(() => place.remove())

/** What a command shows, up to `end`, at a terminal of this width. */
async function shown(
  args: readonly string[],
  end: RegExp,
  { columns = 100, ...env }: { readonly columns?: number; readonly NO_COLOR?: string } = {},
): Promise<string> {
  screen = new PseudoTerminal([...args, '--mcp', 'mcp.json'], place.path, env, { columns })
  await screen.shows(end)
  return screen.raw
}

test('with NO_COLOR, text has no escape sequences and fits the terminal', async () => {
  const text = await shown(['tools', '--details'], /Reports progress\./, { columns: 46, NO_COLOR: '1' })
  expect(text).not.toContain(escape)
  const lines = text.split('\r\n')
  expect(lines).toContain('      Says what it was told. Use it for tests')
  expect(lines.filter((line) => line.length > 46 && line.trim().includes(' '))).toEqual([])
})

test('text of a server colors and moves nothing at a terminal', async () => {
  const text = await shown(['call', 'workshop.fail'], /broken .*red/)
  expect(text).not.toContain(`${escape}[31m`)
})
