import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { activityEntry } from './samples.ts'

test('calls are listed newest first, and one that just ended is put on top once', async () => {
  await using console = await openConsole({
    at: '/activity',
    prepare: (gateway) => {
      gateway.activity = [
        activityEntry('1', { tool: 'weather__forecast', outcome: 'failed', error: 'it timed out' }),
      ]
    },
  })
  const { page, gateway } = console
  await page
    .getByRole('row', { name: /weather__forecast/ })
    .getByText('It timed out.')
    .waitFor()
  const entry = activityEntry('2', { tool: 'hello__hello', conversation: 'Claude Code', latencyMs: 1_500 })
  gateway.tell({ type: 'activity', entry })
  gateway.tell({ type: 'activity', entry })
  await page.getByRole('row', { name: /hello__hello/ }).waitFor()
  const rows = await page.getByRole('row').allTextContents()
  expect(rows).toHaveLength(3)
  expect(rows[1]).toMatch(/OK.*hello__hello.*Claude Code.*1\.5 s/)
})

test('a run of code has no server, in its row and in the filter', async () => {
  await using console = await openConsole({
    at: '/activity',
    width: 360,
    prepare: (gateway) => {
      gateway.activity = [activityEntry('1', { tool: 'run_code', server: '' }), activityEntry('2')]
    },
  })
  const { page } = console
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'run_code' }).waitFor()
  const cells = await rows.locator('td:nth-child(2)').allTextContents()
  expect(cells).toEqual(['run_codefrom console', 'hello__hellohello from console'])
  const options = page.getByRole('combobox', { name: 'Server' }).getByRole('option')
  expect(await options.allTextContents()).toEqual(['All servers', 'hello'])
})
