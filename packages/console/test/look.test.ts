import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { fillGateway } from './scenes/full-gateway.ts'
import { accessibilityProblems, clippedTexts, excessWidth, showTheme } from './scenes/page-checks.ts'
import { scenes, visit } from './scenes/scenes.ts'

/** `npm run screenshots` makes the same checks, also of pages without data, and takes pictures. */

test('axe finds nothing serious on any page, and enough contrast in both themes', async () => {
  await using console = await openConsole({ prepare: fillGateway })
  const { page, gateway } = console
  for (const scene of scenes) {
    await visit(page, gateway.url, scene)
    await showTheme(page, 'light')
    expect.soft(await accessibilityProblems(page), scene.name).toEqual([])
    await showTheme(page, 'dark')
    expect.soft(await accessibilityProblems(page, ['color-contrast']), `${scene.name}, dark`).toEqual([])
  }
})

test('no page is wider than a phone, and no text is cut off there', async () => {
  await using console = await openConsole({ prepare: fillGateway, width: 360 })
  const { page, gateway } = console
  for (const scene of scenes) {
    await visit(page, gateway.url, scene)
    expect.soft(await excessWidth(page), scene.name).toBe(0)
    expect.soft(await clippedTexts(page), scene.name).toEqual([])
  }
})
