/** Records which resources of the machine a piece of code uses. */

import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Variables that every child process inherits, the marker that identifies its children, and what Node itself reads when it
 * starts a process or loads code.
 */
const spawnNames =
  /^(PATH|HOME|LOGNAME|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TOOLBRIDGE_PROCESS_TAG|NODE_V8_COVERAGE|WATCH_REPORT_DEPENDENCIES)$/

/** The kernel's process list, which is read to find the children of a stopped server. */
const processFiles = /^\/proc(\/|$)/

/** Code, which may be loaded by its first use. */
const codeFiles = /\/(?:node_modules|packages\/\w+\/(?:src|dist))\//

/** Uses since the start, except loaded code and those that starting and stopping any child process needs. */
export interface WatchedMachine extends Disposable {
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
  'lstatSync',
  'accessSync',
  'readdirSync',
  'realpathSync',
  'createReadStream',
] as const
const writers = ['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'rename', 'copyFile', 'rm', 'unlink'] as const
const syncWriters = [...writers.map((name) => `${name}Sync` as const), 'createWriteStream'] as const

/** Records which environment variables are read and which files are touched by this process. */
export function watchMachine(): WatchedMachine {
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
    ...syncWriters.map((name) => watchCalls(fs, name, written)),
  ]
  syncBuiltinESMExports()
  return {
    get variables() {
      return variables.filter((name) => !spawnNames.test(name))
    },
    get files() {
      return files.filter((file) => !processFiles.test(file) && !codeFiles.test(file))
    },
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
  const watched = (...args: unknown[]): unknown => {
    touched.push(String(args[0]))
    return Reflect.apply(original, module, args)
  }
  // Such as `realpath.native`.
  Reflect.set(module, name, Object.assign(watched, original))
  return () => Reflect.set(module, name, original)
}
