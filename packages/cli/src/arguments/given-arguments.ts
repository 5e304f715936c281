import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { isJsonObject, isTooDeep, MAX_DEPTH } from '@toolbridge/client/internal'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Arguments as they were typed, before the schema is known. */
export interface GivenArguments {
  /** Those of a JSON object. */
  readonly whole: Readonly<Record<string, unknown>>
  /** Those typed as `name=value`, which take precedence. */
  readonly pairs: readonly { readonly name: string; readonly text: string }[]
}

/**
 * Reads the words after a tool: `name=value` pairs, and at most one JSON object, as a word, as `@file`, as `-` (the
 * standard input) or as `json`. A value may be `@file` or `@-` too; `@@` begins a value with `@`.
 */
export async function givenArguments(
  words: readonly string[],
  json: string | undefined,
  terminal: Terminal,
): Promise<GivenArguments> {
  const [whole, another] = [...(json === undefined ? [] : [json]), ...words.filter(isWhole)]
  if (another !== undefined) throw new UsageError('the arguments are given twice: give one JSON object')
  const pairs = words.filter((word) => !isWhole(word)).map(splitPair)
  if (pairs.filter(({ text }) => text === '@-').length + (isInput(whole) ? 1 : 0) > 1)
    throw new UsageError('the standard input can be read only once')
  return {
    whole: whole === undefined ? {} : jsonObject(await wholeText(whole, terminal)),
    pairs: await Promise.all(
      pairs.map(async ({ name, text }) => ({ name, text: await valueText(name, text, terminal) })),
    ),
  }
}

/** Whether a word stands for all arguments. */
function isWhole(word: string): boolean {
  return word === '-' || word.startsWith('@') || word.trimStart().startsWith('{')
}

function isInput(word: string | undefined): boolean {
  return word === '-' || word === '@-'
}

function splitPair(word: string): { readonly name: string; readonly text: string } {
  const equals = word.indexOf('=')
  if (equals > 0) return { name: word.slice(0, equals), text: word.slice(equals + 1) }
  throw new UsageError(
    `invalid argument "${word}": expected name=value, for example text="hello there", a JSON object, @file or -`,
  )
}

function wholeText(word: string, terminal: Terminal): Promise<string> {
  return word.startsWith('@') || word === '-'
    ? contents(word.replace(/^@/, ''), terminal)
    : Promise.resolve(word)
}

function valueText(name: string, text: string, terminal: Terminal): Promise<string> {
  if (text.startsWith('@@')) return Promise.resolve(text.slice(1))
  if (!text.startsWith('@')) return Promise.resolve(text)
  return contents(text.slice(1), terminal, ` For the text "${text}", write ${name}=@${text}`)
}

/** The contents of a file, or of the standard input. `hint` is said if there is no such file. */
async function contents(path: string, terminal: Terminal, hint = ''): Promise<string> {
  if (path === '-') return readAll(terminal.stdin)
  try {
    return await readFile(resolve(terminal.cwd, path), { encoding: 'utf8', signal: terminal.signal })
  } catch (error) {
    terminal.signal.throwIfAborted()
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new UsageError(`cannot read "${path}": there is no such file.${hint}`)
    throw new UsageError(`cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`)
  }
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isTooDeep(value)) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`)
    if (isJsonObject(value)) return { ...value }
  } catch (error) {
    throw new UsageError(`invalid JSON arguments: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new UsageError('invalid arguments: expected one JSON object')
}
