import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchMachine } from '@toolbridge/testkit/machine'
import { expect, onTestFinished, test } from 'vitest'

test('files that are written are recorded, whether or not the code waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-machine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [one, other, inner] = [join(folder, 'one'), join(folder, 'other'), join(folder, 'inner')]
  using watched = watchMachine()
  writeFileSync(one, '1')
  await writeFile(other, '2')
  mkdirSync(inner)
  unlinkSync(one)
  expect(watched.written).toEqual([one, other, inner, one])
})

test('files and variables that are read are recorded until the end', () => {
  const watched = watchMachine()
  void existsSync('/nothing/here')
  void realpathSync.native(tmpdir())
  void process.env['OF_THE_MACHINE']
  watched[Symbol.dispose]()
  void existsSync('/nothing/later')
  expect(watched.files).toEqual(['/nothing/here'])
  expect(watched.variables).toEqual(['OF_THE_MACHINE'])
})
