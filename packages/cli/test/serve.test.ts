import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { openLockbox } from '@toolbridge/lockbox'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { crashing, hello } from './servers.ts'
import { runInProcess } from './in-process.ts'
import {
  type Finished,
  isAlive,
  prepareDatabase,
  programArguments,
  temporaryFolder,
  toolbridge,
} from './transcript.ts'

const folder = useFolder()

const running: ChildProcess[] = []
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

interface Served {
  readonly child: ChildProcess
  /** The printed address without its fragment. */
  readonly url: string
  readonly code: string
}

/** Starts the gateway as a user would and waits for the address it prints. */
async function serve(data: string, ...args: readonly string[]): Promise<Served> {
  await prepareDatabase(data)
  const child = spawn(
    process.execPath,
    [...programArguments, 'serve', '--port', '0', '--data', data, ...args],
    {
      cwd: data,
      env: { PATH: process.env['PATH'] ?? '', HOME: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  child.stderr.pipe(process.stderr)
  running.push(child)
  const address = /Open (\S+)/.exec(await firstLineOf(child))?.[1] ?? ''
  return { child, url: new URL(address).origin, code: address.split('#code=')[1] ?? '' }
}

const stubborn = { command: process.execPath, args: [fixtureServers.hostile, '--grandchild'] }
const elicit = { command: process.execPath, args: [fixtureServers.elicit] }
const lazy = { command: process.execPath, args: ['lazy.mjs'], start: 'lazy' }

function configuration(folder: string): string {
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { hello, stubborn, elicit, lazy } }))
  writeFileSync(join(folder, 'lazy.mjs'), `import '${pathToFileURL(fixtureServers.hello).href}'`)
  return file
}

async function signIn({ url, code }: Served): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code }),
  })
  const { token } = (await answer.json()) as { token: string }
  return token
}

const json = { 'content-type': 'application/json' }

/** Ids of all processes below one, by the parent links that the kernel shows. */
async function descendantsOf(pid: number): Promise<readonly number[]> {
  const listing = spawn('ps', ['-e', '-o', 'pid=,ppid='], { stdio: ['ignore', 'pipe', 'ignore'] })
  const rows: (readonly [number, number])[] = []
  for await (const line of createInterface({ input: listing.stdout })) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    rows.push([child, parent])
  }
  const below = (parent: number): readonly number[] =>
    rows.filter((row) => row[1] === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

describe('a gateway', () => {
  let data: ReturnType<typeof temporaryFolder>
  let served: Served
  let headers: { readonly authorization: string }
  beforeAll(async () => {
    data = temporaryFolder()
    const rules = { deny: ['mcp://lazy/hello(name=file)'] }
    writeFileSync(join(data.path, 'mcp.permissions.json'), JSON.stringify(rules))
    const flags = ['--deny', 'mcp://lazy/hello(name=flag)', '--watch', '--metrics', '--drain-timeout', '600']
    served = await serve(data.path, '--mcp', configuration(data.path), ...flags)
    headers = { authorization: `Bearer ${await signIn(served)}` }
  })
  afterAll(() => data.remove())

  const read = async (path: string): Promise<string> => (await fetch(served.url + path, { headers })).text()

  test('offers hosts the tools of a server that waits to be needed', async () => {
    await expect.poll(() => read('/api/tools')).toContain('lazy__hello')
  })

  test.each([
    ['flag', 403, 'rule deny mcp://lazy/hello(name=flag)'],
    ['file', 403, 'rule deny mcp://lazy/hello(name=file)'],
    ['Ada', 200, 'Hello, Ada!'],
  ])(
    'decides a call by rules of flags and of the file beside the configuration: %s [S1-5]',
    async (name, status, text) => {
      const answer = await fetch(`${served.url}/api/tools/call`, {
        method: 'POST',
        headers: { ...headers, ...json },
        body: JSON.stringify({ tool: 'lazy__hello', arguments: { name } }),
      })
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)])
    },
  )

  test('is used by commands of the same user, which then start no server', async () => {
    const file = join(data.path, 'mcp.json')
    const call = (...flags: readonly string[]): Promise<Finished> =>
      toolbridge(['call', 'lazy__hello', 'name=Ada', '--mcp', file, ...flags], {
        cwd: data.path,
        env: { HOME: data.path, TOOLBRIDGE_DATA: data.path },
      })
    rmSync(join(data.path, 'lazy.mjs'))
    expect(await call()).toEqual({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' })
    expect(await call('--no-warm')).toMatchObject({ code: 3, stdout: '' })
  })

  test('is the only one on its data folder: a second one is refused with what to do', async () => {
    const second = await runInProcess(['serve', '--port', '0', '--data', data.path])
    expect(second.code).toBe(5)
    expect(second.stderr).toMatch(/lockbox_in_use: .*stop that process/)
  })

  test('with --watch a changed file is applied, and a broken one or a server that does not start changes nothing [S1-45] [C2]', async () => {
    const file = join(data.path, 'mcp.json')
    const write = (text: string): void => {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    }
    const define = (servers: object): string =>
      JSON.stringify({ mcpServers: { ...servers, stubborn, elicit, lazy } })
    let printed = ''
    served.child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const servers = async (): Promise<unknown> => {
      const { servers }: { servers: readonly { name: string }[] } = JSON.parse(await read('/api/servers'))
      return servers.filter(({ name }) => !['stubborn', 'elicit', 'lazy'].includes(name))
    }
    await expect.poll(servers).toMatchObject([{ name: 'hello', state: 'ready' }])

    write('{ "mcpServers": { "hello": }')
    await expect.poll(() => printed).toContain('its previous content is in force')
    expect(printed).toContain(`${file}:1:28`)

    write(define({ hello: crashing }))
    await expect.poll(() => printed).toContain('server "hello" runs the previous definition')
    expect(await servers()).toMatchObject([
      {
        name: 'hello',
        state: 'ready',
        failedReplacement: { error: expect.stringContaining('exited with code 3') },
      },
    ])

    write(define({ hello: 5, second: hello }))
    await expect.poll(() => printed).toContain('reloaded the configuration: started second')
    expect(printed).toContain('server "hello": a server must be an object')
    expect(await servers()).toMatchObject([
      { name: 'hello', state: 'ready' },
      { name: 'second', state: 'ready', scope: 'operator' },
    ])

    write(define({ second: hello }))
    await expect.poll(() => printed).toContain('reloaded the configuration: stopped hello')
  })

  test('serves metrics to who has their token', async () => {
    const token = readFileSync(join(data.path, 'metrics-token'), 'utf8').trim()
    const metrics = await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect(await metrics.text()).toContain('toolbridge_info{version=')
    expect((await fetch(`${served.url}/metrics`, { headers })).status).toBe(401)
  })

  test('is stopped by Ctrl-C when running calls have ended, with every process below it', async () => {
    const post = (path: string, body: object): Promise<Response> =>
      fetch(served.url + path, {
        method: 'POST',
        headers: { ...headers, ...json },
        body: JSON.stringify(body),
      })
    const greet = { tool: 'elicit__greet_me' }
    const running = post('/api/tools/call', greet)
    const questions = async (): Promise<readonly { readonly id: string }[]> =>
      JSON.parse(await read('/api/inbox')).items
    await expect.poll(questions).toHaveLength(1)
    const [question] = await questions()
    const children = await descendantsOf(served.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    const exited = once(served.child, 'exit')
    served.child.kill('SIGINT')
    await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(503)
    expect((await post('/api/tools/call', greet)).status).toBe(503)
    const answer = { action: 'accept', content: { name: 'Ada' } }
    await post(`/api/inbox/${question?.id}/answer`, answer)
    expect(await (await running).text()).toContain('Hello, Ada!')
    const [code] = await exited
    expect(code).toBe(0)
    // A process that has ended stays visible until its new parent has noticed.
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })
})

test('another key than the one the settings were sealed with is refused with what to do', async () => {
  await prepareDatabase(folder.path)
  const keyring = { file: join(folder.path, 'key') }
  await (await openLockbox({ location: join(folder.path, 'lockbox'), keyring })).close()
  writeFileSync(keyring.file, `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  const second = await runInProcess(['serve', '--port', '0', '--data', folder.path])
  expect(second.code).toBe(5)
  expect(second.stderr).toMatch(/wrong_key: /)
})

test('a data folder that is none is named, with the option that chooses another', async () => {
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  for (const data of [file, join(file, 'below')]) {
    const result = await runInProcess(['serve', '--port', '0', '--data', data])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(
      /^toolbridge: cannot use \S+\/file\S*: \w+\. Choose another folder with --data\n/,
    )
  }
})

// Other systems have no such place that every machine has.
test.runIf(process.platform === 'linux')(
  'a place where nobody can make folders is named, and does not keep the command for ever',
  async () => {
    for (const data of ['/proc/toolbridge', '/proc/toolbridge/below']) {
      const result = await runInProcess(['serve', '--port', '0', '--data', data])
      expect(result).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toContain(
        'cannot use /proc/toolbridge: ENOENT. Choose another folder with --data',
      )
    }
  },
)

test('a port that is taken is named', async () => {
  await prepareDatabase(folder.path)
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const result = await runInProcess(['serve', '--port', port, '--data', folder.path])
  holder.close()
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(`port ${port} is in use`) })
})

test.each([['--deny'], ['--ask']])(
  'a pattern of %s that is none ends the command before it listens',
  async (flag) => {
    const result = await runInProcess(['serve', '--port', '0', '--data', folder.path, flag, 'hello__*'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('"hello__*" is not a permission pattern')
  },
)

test('an invalid rules file ends the command before it listens', async () => {
  writeFileSync(join(folder.path, 'rules.json'), '{ "deny": "mcp:*" }')
  const args = ['serve', '--port', '0', '--data', folder.path, '--permissions', 'rules.json']
  const result = await runInProcess(args, { cwd: folder.path })
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('rules.json:1:11 /deny: error: "deny" must be a list')
})

test.each(['not a url', 'postgresq://user:hunter2@host/name', '/var/lib/data'])(
  'a database that is no PostgreSQL is a usage error that keeps the value to itself: %j',
  async (database) => {
    const args = ['serve', '--port', '0', '--data', folder.path]
    for (const result of [
      await runInProcess([...args, '--database', database]),
      await runInProcess(args, { env: { TOOLBRIDGE_DATABASE_URL: database } }),
    ]) {
      expect(result).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toContain('postgres://user@host/name')
      expect(result.stderr).not.toContain(database)
    }
  },
)

test('SIGTERM while the gateway opens gives it up', async () => {
  const data = join(folder.path, 'new')
  const args = [...programArguments, 'serve', '--port', '0', '--data', data]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  running.push(child)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  // The lock of the store is taken first; starting the database takes most of the time.
  await expect.poll(() => existsSync(data) && readdirSync(data).length, { interval: 5 }).toBeTruthy()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(printed).toBe('')
})

test('--watch without a configuration file is a usage error [S1-45]', async () => {
  const result = await runInProcess(['serve', '--port', '0', '--data', folder.path, '--watch'])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('--watch needs a configuration file')
})
