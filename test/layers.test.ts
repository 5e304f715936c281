import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { layerViolations, mayUse } from './house/layers.ts'
import { root } from './house/repository.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

test('every package imports only the packages below it [S2-57] [S2-58]', () => {
  expect(layerViolations(join(root, 'packages'))).toEqual([])
})

test('every package has a place in the layers', () => {
  expect(readdirSync(join(root, 'packages')).toSorted()).toEqual(Object.keys(mayUse).toSorted())
})

test.each([
  ['a named import', `import { openBridge } from '@toolbridge/bridge'`],
  ['a type import', `import type { Bridge } from '@toolbridge/bridge'`],
  ['a subpath', `export { aiSdkTools } from '@toolbridge/bridge/ai-sdk'`],
  ['a dynamic import', `const bridge = await import('@toolbridge/bridge')`],
  ['a path through the folders', `import { openBridge } from '../../bridge/src/bridge.ts'`],
])('the layer test sees %s of an upper package in a lower one', (_, line) => {
  const packages = packagesWith('client', `${line}\n`)
  expect(layerViolations(packages)).toEqual(['client must not import bridge (client/src/index.ts)'])
})

function packagesWith(name: string, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'layers-'))
  made.push(folder)
  for (const each of Object.keys(mayUse)) {
    mkdirSync(join(folder, each, 'src'), { recursive: true })
    writeFileSync(join(folder, each, 'src', 'index.ts'), each === name ? source : 'export {}\n')
  }
  return folder
}
