import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { serveCommand } from '../src/commands/serve.ts'
import { commandWords } from '../src/servers/command-words.ts'
import { operationFrom } from '../src/operation-options.ts'
import { globalOptions } from '../src/split-command.ts'

const page = readFileSync(fileURLToPath(new URL('../../../docs/deploy.md', import.meta.url)), 'utf8')
const unit = blockOf('ini', 'StateDirectory=').replaceAll('\\\n', '')
const dockerfile = blockOf('dockerfile', 'ENTRYPOINT')
const { drainMs } = operationFrom({})

test('the options in the unit, the Dockerfile and its command are options of serve', () => {
  const [, ofContainer = ''] = /^docker run .*\n {2}toolbridge (--.*)$/m.exec(page) ?? []
  const entry: readonly string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]')
  const container = valuesOf([...entry.slice(2), ...commandWords(ofContainer)])
  const service = valuesOf(commandWords(settingOf('ExecStart')).slice(2))
  expect(container).toMatchObject({ host: '0.0.0.0', port: '4545', 'public-url': 'https://tools.example' })
  expect(service).toMatchObject({ port: '4545', 'public-url': 'https://tools.example', metrics: true })
})

test('the service has its files where systemd lets it write, and more time to stop than calls have to end', () => {
  const folder = `/var/lib/${settingOf('StateDirectory')}`
  expect(settingOf('Environment')).toBe(`HOME=${folder} TOOLBRIDGE_DATA=${folder}`)
  expect(settingOf('ExecStart')).not.toContain('--data')
  expect(Number(settingOf('TimeoutStopSec')) * 1_000).toBeGreaterThan(drainMs)
})

test('the container has its files in its volume, and is checked at the port that it listens on', () => {
  const folder = /^VOLUME (.*)$/m.exec(dockerfile)?.[1] ?? ''
  expect(dockerfile).toContain(`install --directory --owner node --mode 700 ${folder}\n`)
  expect(dockerfile).toContain(`ENV HOME=${folder} TOOLBRIDGE_DATA=${folder}\n`)
  const port = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1] ?? ''
  expect(dockerfile).toContain(`'http://127.0.0.1:${port}/healthz'`)
  expect(dockerfile).toContain(`"--port", "${port}"`)
  const seconds = [...page.matchAll(/(?:--stop-timeout |terminationGracePeriodSeconds: )(\d+)/g)].map(
    ([, text]) => Number(text),
  )
  expect(seconds).toHaveLength(2)
  for (const each of seconds) expect(each * 1_000).toBeGreaterThan(drainMs)
})

/** The block in this language that contains a text. */
function blockOf(language: string, text: string): string {
  const blocks = page.matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].find(([, name, block]) => name === language && block?.includes(text))?.[2] ?? ''
}

function settingOf(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
}

/** Throws for an unknown option. */
function valuesOf(args: readonly string[]): Readonly<Record<string, unknown>> {
  return parseArgs({ args: [...args], options: { ...globalOptions, ...serveCommand.options }, strict: true })
    .values
}
