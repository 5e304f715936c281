import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Bridge,
  type BridgeEvent,
  type ConfigSource,
  configFile,
  openBridge,
  type WatchFile,
} from '@toolbridge/bridge'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { permissive, plainServer } from '../servers/specs.ts'

let folder: string
let bridge: Bridge
const events: BridgeEvent[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-reload-'))
  events.length = 0
})
afterEach(async () => {
  await bridge.close()
  await rm(folder, { recursive: true })
})

const file = (): string => join(folder, 'mcp.json')

/** Written as editors do: a new file takes the place of the old one. */
async function write(text: string): Promise<void> {
  await writeFile(`${file()}.new`, text)
  await rename(`${file()}.new`, file())
}

function definitions(...names: readonly string[]): string {
  const entries = names.map((name) => {
    const { command, args, env } = plainServer(name)
    return [name, { command, args, env }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) })
}

async function open(options: { readonly watchFile?: WatchFile; readonly clock?: ManualClock } = {}) {
  const { watchFile, clock } = options
  const source = configFile(file(), { kind: 'flag', ...(watchFile === undefined ? {} : { watchFile }) })
  bridge = await openBridge({
    ...permissive([]),
    servers: source,
    journal: (event) => events.push(event),
    ...(clock === undefined ? {} : { clock }),
  })
}

const names = (): readonly string[] => bridge.status().map(({ name }) => name)

test('reloading reads the file again and restarts only what changed [C2] [D37]', async () => {
  await write(definitions('a', 'b'))
  await open()
  const [a] = bridge.status()
  await write(definitions('a', 'c'))
  expect(await bridge.reload()).toMatchObject({ kept: ['a'], started: ['c'], stopped: ['b'] })
  expect(bridge.status()[0]?.pid).toBe(a?.pid)
  expect(bridge.status()[0]?.source).toMatchObject({ file: file(), kind: 'flag' })
})

test('a file that cannot be read leaves everything as it is', async () => {
  await write(definitions('a'))
  await open()
  await write('{ "mcpServers": ')
  await expect(bridge.reload()).rejects.toMatchObject({ code: 'config_invalid' })
  await rm(file())
  await expect(bridge.reload()).rejects.toMatchObject({ issues: [{ code: 'file_missing' }] })
  expect(bridge.status()).toMatchObject([{ name: 'a', state: 'ready' }])
})

test('changes that come together are read once, when they are over, and failures are told', async () => {
  await write(definitions('a'))
  const clock = new ManualClock()
  let changed = (): void => {}
  let isWatched = true
  const watchFile: WatchFile = (_file, onChange) => {
    changed = onChange
    return { [Symbol.dispose]: () => (isWatched = false) }
  }
  await open({ watchFile, clock })
  using watching = bridge.watch({ debounceMs: 100 })
  expect(watching).toBeDefined()
  await write('nonsense')
  changed()
  clock.advance(100)
  await expect
    .poll(() => events.some((event) => 'code' in event && event.code === 'reload_failed'))
    .toBe(true)
  expect(names()).toEqual(['a'])
  await write(definitions('b'))
  for (let time = 0; time < 5; time += 1) {
    changed()
    clock.advance(99)
  }
  expect(names()).toEqual(['a'])
  clock.advance(1)
  await expect.poll(names).toEqual(['b'])
  await bridge.close()
  expect(isWatched).toBe(false)
})

test('a file that an editor replaces is noticed', async () => {
  await write(definitions('a'))
  await open()
  bridge.watch({ debounceMs: 20 })
  await write(definitions('a', 'b'))
  await expect.poll(names).toEqual(['a', 'b'])
})

test('a file is noticed where a link leads, also after the link leads elsewhere', async () => {
  const [one, other] = [join(folder, 'dotfiles'), join(folder, 'others')]
  await Promise.all([mkdir(one), mkdir(other)])
  await Promise.all([
    writeFile(join(one, 'servers.json'), definitions('a')),
    writeFile(join(other, 'servers.json'), definitions('c')),
  ])
  await symlink(join(one, 'servers.json'), file())
  await open()
  bridge.watch({ debounceMs: 20 })
  await writeFile(join(one, 'servers.json'), definitions('a', 'b'))
  await expect.poll(names).toEqual(['a', 'b'])
  await rm(file())
  await symlink(join(other, 'servers.json'), file())
  await expect.poll(names).toEqual(['c'])
  await writeFile(join(other, 'servers.json'), definitions('d'))
  await expect.poll(names).toEqual(['d'])
})

test('a file with settings for single folders is read for the folder in which the person works', async () => {
  const { command, args, env } = plainServer('a')
  const projects = { '/app': { mcpServers: { a: { command, args, env } } } }
  await writeFile(join(folder, '.claude.json'), JSON.stringify({ projects }))
  const source = configFile(join(folder, '.claude.json'), { kind: 'user', workspaceFolder: '/app' })
  bridge = await openBridge({ ...permissive([]), servers: source })
  expect(names()).toEqual(['a'])
})

test('a reading that took longer than one that began later does not undo it', async () => {
  const waiting: ((names: readonly string[]) => void)[] = []
  let isFirst = true
  const source: ConfigSource = {
    read: async () => {
      if (isFirst) return { servers: [] }
      const names = await new Promise<readonly string[]>((resolve) => waiting.push(resolve))
      return { servers: names.map((name) => plainServer(name)) }
    },
  }
  bridge = await openBridge({ ...permissive([]), servers: source })
  isFirst = false
  const [slow, quick] = [bridge.reload(), bridge.reload()]
  waiting[1]?.(['new'])
  await quick
  waiting[0]?.(['old'])
  await slow
  expect(names()).toEqual(['new'])
})

test('definitions that were handed in as a list are applied again, and cannot be watched', async () => {
  bridge = await openBridge(permissive([plainServer('a')]))
  expect(await bridge.reload()).toMatchObject({ kept: ['a'], started: [] })
  expect(() => bridge.watch()).toThrow(TypeError)
})
