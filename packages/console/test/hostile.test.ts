import type { Page } from '@toolbridge/testkit/browser'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { fillHostileGateway } from './scenes/hostile-gateway.ts'
import { excessWidth } from './scenes/page-checks.ts'
import { scenes, visit } from './scenes/scenes.ts'

test('names, descriptions, questions and results full of markup and hidden characters run nothing and mislead nobody on any page', async () => {
  await using console = await openConsole({ prepare: fillHostileGateway, width: 360 })
  const { page, gateway } = console
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!/^(data|about):/.test(request.url()) && !request.url().startsWith(gateway.url))
      elsewhere.push(request.url())
  })
  for (const scene of scenes) {
    await visit(page, gateway.url, scene)
    expect.soft(await traces(page), scene.name).toEqual([])
    expect.soft(await excessWidth(page), scene.name).toBe(0)
  }
  expect(elsewhere).toEqual([])
  expect(await page.title()).toMatch(/^\(\d+\) \w+ · Toolbridge$/)
})

/** What hostile texts have done to a page: scripts that ran, elements that they made, characters that are not seen. */
function traces(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const made = [
      'body script',
      'iframe',
      'form[action]',
      'body style',
      '[onerror], [onload]',
      'a[href^="javascript:" i]',
      'a[href^="data:text/html" i]:not([download])',
      'img[src^="http"]',
    ]
    // oxlint-disable-next-line no-control-regex
    const hidden = /[\u0000-\u0008\u001b\u200b\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u
    const attributes = ['title', 'aria-label', 'placeholder', 'alt']
    const named = [...document.querySelectorAll('*')].flatMap((element) =>
      attributes.map((attribute) => element.getAttribute(attribute) ?? ''),
    )
    const texts = [...document.body.innerText.split('\n'), ...named]
    return [
      ...('__ran' in globalThis ? ['a script ran'] : []),
      ...made.filter((selector) => document.querySelector(selector) !== null),
      ...new Set(
        texts.filter((text) => hidden.test(text)).map((text) => `hidden characters: ${text.slice(0, 60)}`),
      ),
    ]
  })
}
