import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestGateway, openTestLockbox } from './support/gateway.ts'
import { savedServer } from './support/specs.ts'

let lockbox: Lockbox
beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())

/**
 * What every child process gets of its parent to run at all, the mark by which its own children are found again, and what
 * Node itself looks at when it starts one.
 */
const safeNames =
  /^(PATH|HOME|LOGNAME|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TOOLBRIDGE_PROCESS_TAG|NODE_V8_COVERAGE)$/

/** The store itself, and the kernel's list of processes, in which a server that is stopped finds its own children. */
const safeFiles = /toolbridge-lockbox-|^\/proc(\/|$)/

test('a workflow takes its servers from what was saved: no variable and no file of this machine is asked', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  const mcpServers = { mine: { ...savedServer('hostile'), env: { TOKEN: 'from the lockbox' } } }
  await ada.post(paths.config, { mcpServers })
  const body = { workflowId: 'w', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__environment' }] }

  // Loads what is loaded on first use, so that only the workflow itself is watched below.
  await ada.post(paths.invoke, body)
  using watched = watchMachine()
  const { nodes } = await (await ada.post(paths.invoke, body)).json()

  const environment = JSON.parse(nodes[0].result.content[0].text)
  expect(environment.TOKEN).toBe('from the lockbox')
  expect(watched.variables.filter((name) => !safeNames.test(name))).toEqual([])
  expect(watched.files.filter((file) => !safeFiles.test(file))).toEqual([])
  expect(watched.written).toEqual([])
})

interface WatchedMachine extends Disposable {
  readonly variables: readonly string[]
  readonly files: readonly string[]
  readonly written: readonly string[]
}

const readers = ['readFile', 'open', 'stat', 'lstat', 'access', 'readdir', 'realpath'] as const
const syncReaders = [
  'readFileSync',
  'openSync',
  'existsSync',
  'statSync',
  'accessSync',
  'readdirSync',
] as const
const writers = ['writeFile', 'appendFile', 'mkdir', 'rename', 'copyFile'] as const

/** Records which environment variables are read and which files are touched by this process. */
function watchMachine(): WatchedMachine {
  const variables: string[] = []
  const files: string[] = []
  const written: string[] = []
  const restore = [
    watchVariables(variables),
    ...readers.map((name) => watchCalls(fsPromises, name, files)),
    ...readers.map((name) => watchCalls(fs, name, files)),
    ...syncReaders.map((name) => watchCalls(fs, name, files)),
    ...writers.map((name) => watchCalls(fsPromises, name, written)),
    ...writers.map((name) => watchCalls(fs, name, written)),
  ]
  syncBuiltinESMExports()
  return {
    variables,
    files,
    written,
    [Symbol.dispose]() {
      for (const undo of restore) undo()
      syncBuiltinESMExports()
    },
  }
}

function watchVariables(read: string[]): () => void {
  const { env } = process
  process.env = new Proxy(env, {
    get: (target, name) => {
      if (typeof name === 'string') read.push(name)
      return Reflect.get(target, name)
    },
    has: (target, name) => {
      if (typeof name === 'string') read.push(name)
      return Reflect.has(target, name)
    },
    ownKeys: (target) => {
      read.push('(all of them)')
      return Reflect.ownKeys(target)
    },
  })
  return () => {
    process.env = env
  }
}

function watchCalls(module: object, name: string, touched: string[]): () => void {
  const original: unknown = Reflect.get(module, name)
  if (typeof original !== 'function') throw new TypeError(`there is no ${name}`)
  Reflect.set(module, name, (...args: unknown[]) => {
    touched.push(String(args[0]))
    return Reflect.apply(original, module, args)
  })
  return () => Reflect.set(module, name, original)
}
