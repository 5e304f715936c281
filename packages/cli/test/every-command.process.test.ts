import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stages } from '@toolbridge/bridge/doctor'
import { schemaProblems } from '@toolbridge/client/internal'
import { scriptedModel } from '@toolbridge/testkit/models'
import { canary, look } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListeningGateway, listenTestGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { commandHelps } from './every-command/command-list.ts'
import { prepareFolder } from './every-command/folder.ts'
import { localRows, otherLines } from './every-command/local-rows.ts'
import { lockboxRows } from './every-command/lockbox-rows.ts'
import { modelRows, modelTurns } from './every-command/model-rows.ts'
import type { Row } from './every-command/row.ts'
import { serverRows } from './every-command/server-rows.ts'
import { outputSchemas, schemaNamed } from './published-schemas.ts'
import { toolbridge } from './transcript.ts'

const [place, waiting] = [await prepareFolder(), await startTagged('waiting')]
const model = await scriptedModel({ shape: 'compatible', turns: modelTurns })
const rows: readonly Row[] = [
  ...serverRows,
  ...modelRows(model.baseUrl),
  ...localRows(waiting.pid ?? 0),
  ...lockboxRows,
]

let gateway: ListeningGateway
beforeAll(async () => {
  const ownerToken = canary('local')
  gateway = await listenTestGateway({ lockbox: await openTestLockbox(), ownerToken })
  const owner = JSON.stringify({ url: gateway.url, token: ownerToken })
  writeFileSync(join(place.path, 'data/owner-token'), owner, { mode: 0o600 })
})
afterAll(async () => {
  waiting.kill('SIGKILL')
  await gateway[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  place.remove()
})

/** A process that is listed as a server of this process. */
async function startTagged(name: string): Promise<ChildProcess> {
  const tag = `${process.pid.toString(36)}-a-${Date.now()}.1~${Buffer.from(name).toString('base64url')}`
  const env = { PATH: process.env['PATH'] ?? '', TOOLBRIDGE_PROCESS_TAG: tag }
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true })
  await once(child, 'spawn')
  return child
}

function titleOf({ args, cwd = '.' }: Omit<Row, 'command'>): string {
  const words = args.join(' ').replace(String(waiting.pid), '<pid>').replace(model.baseUrl, '<url>')
  return `${cwd}$ toolbridge ${words}`
}

/** Only Linux shows which server a process belongs to. */
const runnable = rows.filter(({ command }) => command !== 'ps' || process.platform === 'linux')

describe('the built command', () => {
  test.each([...runnable, ...otherLines].map((row) => [titleOf(row), row] as const))(
    'runs: %s',
    async (_, { args, code, schema, json, stdout, stderr, input, cwd = '.' }: Omit<Row, 'command'>) => {
      const finished = await toolbridge(args, {
        cwd: join(place.path, cwd),
        env: { HOME: join(place.path, 'home') },
        ...(input === undefined ? {} : { input }),
      })
      look('output', finished.stdout + finished.stderr, `toolbridge ${args.join(' ')}`)
      expect(finished).toEqual({
        code,
        stdout: expect.stringMatching(stdout ?? (schema === undefined ? /^$/ : /^\{.*\}\n$/)),
        stderr: expect.stringMatching(stderr ?? /^$/),
      })
      expect(finished.stdout + finished.stderr).not.toMatch(/[^\P{C}\n\t]/u)
      if (schema === undefined) return
      const printed: readonly unknown[] = finished.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      for (const value of printed) expect(schemaProblems(schemaNamed(schema), value)).toEqual([])
      expect(printed.at(-1)).toMatchObject(json ?? {})
    },
  )
})

describe('the rows', () => {
  test('have a success and a failure of every command', async () => {
    const of = (isWanted: (row: Row) => boolean): readonly string[] =>
      [...new Set(rows.filter(isWanted).map(({ command }) => command))].toSorted()
    const names = [...(await commandHelps()).keys()].toSorted()
    expect(names.length).toBeGreaterThan(25)
    expect(of(({ code }) => code === 0)).toEqual(names)
    expect(of(({ code }) => code !== 0)).toEqual(names)
  })

  test('have JSON of every command that prints it, and of every published definition', async () => {
    const printed = [...(await commandHelps())]
      .filter(([, help]) => help.includes('--format json'))
      // Its JSON is whatever the program returns.
      .filter(([name]) => name !== 'run')
    const checked = new Set(rows.filter(({ schema }) => schema !== undefined).map(({ command }) => command))
    expect(printed.map(([name]) => name).filter((name) => !checked.has(name))).toEqual([])
    expect([...new Set(rows.flatMap(({ schema }) => schema ?? []))].toSorted()).toEqual(
      outputSchemas().toSorted(),
    )
  })

  test('have a schema with every stage of doctor', () => {
    const { $ref: _ref, ...stage } = schemaNamed('doctor-report stage')
    expect(stage).toHaveProperty('$defs.stage.properties.stage.enum', stages)
  })

  test('have schemas that reject what no command prints', () => {
    expect(outputSchemas().filter((name) => schemaProblems(schemaNamed(name), {}).length === 0)).toEqual([])
  })

  test('have schemas that the README links', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const files = rows.flatMap(({ schema }) => schema?.split(' ')[0] ?? [])
    expect(files.filter((name) => !readme.includes(`(schemas/${name}.schema.json)`))).toEqual([])
  })

  test('start with the words of their command', () => {
    expect(rows.filter(({ command, args }) => !args.join(' ').startsWith(command))).toEqual([])
  })
})
