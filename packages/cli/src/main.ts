#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { requireCached } from './code-cache.ts'
import { splitCommand } from './split-command.ts'
import { versionLine } from './version.ts'

type Start = typeof import('./start.ts')

/**
 * These commands use packages that the other commands have in one file: the gateway and the agent use them, and so do programs
 * of the user.
 */
const packageCommands: ReadonlySet<string> = new Set([
  'serve',
  'open',
  'ask',
  'chat',
  'agent',
  'run',
  'lockbox',
])

/** These commands open the embedded database. */
const databaseCommands: ReadonlySet<string> = new Set(['serve', 'lockbox'])

/** These commands should start fast. Each stores the compiled code of the functions that it runs itself. */
const fastCommands: readonly string[] = ['tools', 'call']

const argv = process.argv.slice(2)
if (!hasPrintedVersion()) void load().then(({ start }) => start(argv))

/** Answers `--version` before anything else is loaded. False for other command lines, and if the output failed. */
function hasPrintedVersion(): boolean {
  if (argv.length !== 1 || argv[0] !== '--version') return false
  try {
    return writeSync(1, `${versionLine()}\n`) > 0
  } catch {
    return false
  }
}

async function load(): Promise<Start> {
  const { name = '' } = splitCommand(argv)
  if (databaseCommands.has(name)) compileWebAssemblyOnce()
  if (packageCommands.has(name)) return import('#start')
  const user = fastCommands.includes(name) ? name : 'others'
  return requireCached<Start>(`${import.meta.dirname}/standalone.cjs`, user, process.env)
}

/**
 * Lets V8 compile WebAssembly once and not again for speed. The embedded database is a large program: that costs much of the
 * CPU time of a start and of the memory, and makes a statement little faster. Set before any module is compiled: the option is part of the key of
 * V8's code cache.
 */
function compileWebAssemblyOnce(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only')
}
