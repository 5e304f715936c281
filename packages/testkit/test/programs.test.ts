import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstLineOf } from '@toolbridge/testkit/programs'

test('the first line of a program, whatever follows', async () => {
  expect(await firstLineOf(spawn('sh', ['-c', 'echo one; echo two; exit 3']))).toBe('one')
})

test('a program that ends without a line is an error with what it complained about', async () => {
  await expect(firstLineOf(spawn('sh', ['-c', 'echo "no such port" >&2; exit 5']))).rejects.toThrow(
    'the program ended with 5 before it printed a line: no such port',
  )
})
