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

test('of 10,000 calls only the rows near the screen exist; scrolling, filters and older pages reach the others', async () => {
  const start = Date.now()
  await using console = await openConsole({
    at: '/activity',
    prepare: (gateway) => {
      gateway.activity = Array.from({ length: 10_000 }, (_, index) =>
        activityEntry(`${index}`, {
          tool: `tool_${index}`,
          at: new Date(start - index * 1_000).toISOString(),
        }),
      )
    },
  })
  const { page } = console
  const row = (name: string) => page.getByRole('row').filter({ hasText: new RegExp(`${name}(?!\\d)`) })
  await row('tool_0').waitFor()
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001')
  expect(await page.getByRole('row').count()).toBeLessThan(100)
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await row('tool_9999').waitFor()
  expect(await row('tool_9999').getAttribute('aria-rowindex')).toBe('10001')
  expect(await page.getByRole('row').count()).toBeLessThan(100)
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('tool_5000')
  await row('tool_5000').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('')
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Last hour')
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toMatch(/^3[56]\d\d$/)
})
