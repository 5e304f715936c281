import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ExitCode, exitMeanings } from '../src/exit-code.ts'
import { runInProcess } from './in-process.ts'

const codes = Object.values(ExitCode)

/** The names of the commands that a help text lists. */
function commandsIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm)].map(([, name = '']) => name)
}

async function helpOf(...words: readonly string[]): Promise<string> {
  return (await runInProcess([...words, '--help'])).stdout
}

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
  const commands = commandsIn(await helpOf())
  expect(commands).toContain('doctor')
  const subcommands = commandsIn(await helpOf('config'))
  expect(subcommands).toContain('config trust')
  for (const name of [...commands, ...subcommands]) {
    const [, list = ''] = /Exit status: ([^]*?)\.\n/.exec(await helpOf(...name.split(' '))) ?? []
    const named = [...list.matchAll(/(?:^|, )(\d+) /g)].map(([, code]) => Number(code))
    expect({ name, unknown: named.filter((code) => !codes.some((each) => each === code)) }).toEqual({
      name,
      unknown: [],
    })
  }
})
