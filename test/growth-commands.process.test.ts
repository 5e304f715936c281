import { expect, test } from 'vitest'
import { commandRows, inFolder } from '../bench/growth/commands.mjs'
import { runInProcess } from '../packages/cli/test/in-process.ts'

const rows = commandRows.map((row) => ({ ...row, title: `${row.command} ${row.place ?? ''}`.trimEnd() }))

test.each(rows)('the bench of growth starts $title with arguments that it understands', async (row) => {
  const { stderr } = await inFolder(row, '{}', (args, cwd) => runInProcess(args, { cwd, env: { HOME: cwd } }))
  expect(stderr).not.toMatch(/See: toolbridge|expected name=value|no MCP configuration found/)
})

test.each(rows.filter(({ write }) => write !== undefined))(
  'the bench of growth writes a file in which $title finds its text',
  async (row) => {
    const { code, stderr } = await inFolder(row, 'text', (args, cwd) =>
      runInProcess(args, { cwd, env: { HOME: cwd } }),
    )
    expect(code, stderr).not.toBe(2)
  },
)
