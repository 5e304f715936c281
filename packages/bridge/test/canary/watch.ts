import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { inspect } from 'node:util'
import { Redaction } from '../../src/journal/redaction.ts'
import { OpenBridge } from '../../src/open-bridge.ts'
import { canaryIn } from './canary.ts'

/** What the bridge let out. */
export interface Leak {
  /** By what way. */
  readonly where: string
  readonly excerpt: string
}

const leaks: Leak[] = []

/** Takes what was found so far: from then on it counts as seen. */
export function takeLeaks(): readonly Leak[] {
  return leaks.splice(0)
}

/**
 * Looks for canaries in all that the bridge tells: events, questions, errors, states, files that its own code writes, and
 * standard output. Nothing is replaced: everything goes on to where it went before.
 */
export async function watchEverything(): Promise<void> {
  watchMethod(Redaction.prototype, 'event', 'the journal', JSON.stringify)
  watchMethod(Redaction.prototype, 'question', 'a question', JSON.stringify)
  watchMethod(OpenBridge.prototype, 'status', 'the status', shownStatus)
  watchRejections(OpenBridge.prototype, 'call')
  watchRejections(OpenBridge.prototype, 'apply')
  watchArguments(process.stdout, 'write', 'standard output')
  watchArguments(process.stderr, 'write', 'standard error')
  await watchFiles()
}

function look(where: string, text: string): void {
  const excerpt = canaryIn(text)
  if (excerpt !== undefined) leaks.push({ where, excerpt })
}

function shown(value: unknown): string {
  return inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null })
}

/** Names of tools are what calls go by, so they are left as their servers give them. */
function shownStatus(status: unknown): string {
  const servers: readonly object[] = Array.isArray(status) ? status : []
  return shown(servers.map((server) => ({ ...server, tools: [] })))
}

type Method = (...given: unknown[]) => unknown

function watchMethod(owner: object, name: string, where: string, write: (value: unknown) => string): void {
  wrap(owner, name, (result) => look(where, write(result)))
}

function watchRejections(owner: object, name: string): void {
  wrap(owner, name, (result) => {
    if (result instanceof Promise) result.catch((error: unknown) => look('an error', shown(error)))
  })
}

function watchArguments(owner: object, name: string, where: string): void {
  wrap(owner, name, (_result, given) => look(where, given.map(String).join(' ')))
}

function wrap(owner: object, name: string, onResult: (result: unknown, given: unknown[]) => void): void {
  const original = Reflect.get(owner, name) as Method
  Reflect.set(owner, name, function watched(this: unknown, ...given: unknown[]): unknown {
    const result = original.apply(this, given)
    onResult(result, given)
    return result
  })
}

/** Tests write secrets into files, for the bridge to read; what the bridge itself writes holds none. */
async function watchFiles(): Promise<void> {
  const file: FileHandle = await open(process.execPath)
  const handles: object = Object.getPrototypeOf(file)
  await file.close()
  for (const name of ['write', 'writeFile', 'appendFile']) wrap(handles, name, written)
  for (const name of ['writeFileSync', 'appendFileSync']) wrap(fs, name, written)
  for (const name of ['writeFile', 'appendFile']) wrap(fs.promises, name, written)
  syncBuiltinESMExports()
}

function written(_result: unknown, given: unknown[]): void {
  const excerpt = canaryIn(given.map(String).join(' '))
  if (excerpt === undefined) return
  const { stack = '' } = new Error('where it is written')
  if (stack.includes('/bridge/src/')) leaks.push({ where: 'a file', excerpt })
}
