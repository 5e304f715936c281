import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ExitCode, exitMeanings } from '../src/exit-code.ts'
import { commandHelps, helpOf } from './every-command/command-list.ts'

const codes = Object.values(ExitCode)

test('docs/errors.md and --help list every exit status with its meaning [C32]', async () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const help = await helpOf()
  for (const code of codes) {
    expect(page).toContain(`| ${code} | ${exitMeanings[code]} |\n`)
    expect(help).toContain(`  ${String(code).padEnd(3)}  ${exitMeanings[code]}\n`)
  }
  expect(new Set(codes).size).toBe(codes.length)
})

test('the help of a command names only exit statuses that exist', async () => {
  const helps = await commandHelps()
  expect([...helps.keys()]).toEqual(expect.arrayContaining(['doctor', 'config trust', 'permissions test']))
  for (const [name, help] of helps) {
    const [, list = ''] = /Exit status: ([^]*?)\.\n/.exec(help) ?? []
    const named = [...list.matchAll(/(?:^|, )(\d+) /g)].map(([, code]) => Number(code))
    expect({ name, unknown: named.filter((code) => !codes.some((each) => each === code)) }).toEqual({
      name,
      unknown: [],
    })
  }
})
