import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Compiled code comes and goes on the same heap; without it the numbers repeat. */
const withoutCompiler = ['--expose-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode']

const program = fileURLToPath(new URL('../programs/cycles.mjs', import.meta.url))
const server = fileURLToPath(new URL('../programs/hostile.sh', import.meta.url))

const [rounds, warmUp] = process.env['TOOLBRIDGE_LONG'] === '1' ? [1_000, 100] : [30, 10]

interface Left {
  readonly children: number
  readonly resourcesBefore: readonly string[]
  readonly resourcesAfter: readonly string[]
  readonly heapBefore: number
  readonly heapAfter: number
}

test(`connecting and closing ${rounds} times leaves no process, no handle and no memory`, async () => {
  const args = [...withoutCompiler, program, server, String(rounds), String(warmUp)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const left: Left = JSON.parse(stdout)
  expect(left.children).toBe(0)
  expect(left.resourcesAfter).toEqual(left.resourcesBefore)
  expect(left.heapAfter / left.heapBefore).toBeLessThan(1.05)
})
