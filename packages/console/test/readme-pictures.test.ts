import { readFile } from 'node:fs/promises'
import { openSharedPage } from '@toolbridge/testkit/browser'
import { expect, test } from 'vitest'
import { coarseColors, readmePictures, takeReadmePictures } from './scenes/readme-pictures.ts'

const images = new URL('../../../docs/images/', import.meta.url)

/** Cells whose color may differ: fonts are not the same on every machine. */
const tolerated = { difference: 12, part: 0.04 }

test('the pictures of the README show the console as it is', async () => {
  const taken = await takeReadmePictures()
  await using shared = await openSharedPage()
  const texts: Record<string, unknown> = JSON.parse(await readFile(new URL('texts.json', images), 'utf8'))
  for (const name of readmePictures) {
    const file = await readFile(new URL(`${name}.png`, images))
    expect.soft(texts[name], `words of ${name}`).toBe(taken.get(name)?.text)
    expect(file.byteLength, `bytes of ${name}`).toBeLessThan(120 * 1_024)
    const [committed, current] = [
      await coarseColors(shared.page, file),
      await coarseColors(shared.page, taken.get(name)?.png ?? Buffer.alloc(0)),
    ]
    const differing = current.filter(
      (color, index) => Math.abs(color - (committed[index] ?? 0)) > tolerated.difference,
    )
    // `npm run screenshots -- --readme` takes them again.
    expect.soft(differing.length / current.length, name).toBeLessThanOrEqual(tolerated.part)
  }
})
