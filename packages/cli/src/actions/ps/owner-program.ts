import { basename } from 'node:path'

const runtimes: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno'])

/** Options of runtimes whose value is the next word. */
const takesValue = /^(-[rC]|--(import|require|loader|experimental-loader|conditions|env-file|preload))$/

/** Options of runtimes that are followed by code, not by the name of a file. */
const takesCode = /^(-[a-z]*[ep]|--eval|--print)$/

/** The program of a command line, without arguments, which may contain secrets: `toolbridge serve`, `agent.mjs`. */
export function programOf(commandLine: readonly string[]): string {
  const [first = '', ...rest] = commandLine
  const name = basename(first)
  if (isToolbridge(first)) return toolbridgeCommand(rest)
  if (!runtimes.has(name)) return name
  const index = rest.findIndex((word, at) => !word.startsWith('-') && !takesValue.test(rest[at - 1] ?? ''))
  const script = rest[index] ?? ''
  if (script === '' || rest.slice(0, index).some((word) => takesCode.test(word))) return name
  return isToolbridge(script) ? toolbridgeCommand(rest.slice(index + 1)) : basename(script)
}

function isToolbridge(path: string): boolean {
  return basename(path) === 'toolbridge' || /(^|[\\/])(toolbridge|cli)[\\/]dist[\\/]main\.cjs$/.test(path)
}

function toolbridgeCommand(words: readonly string[]): string {
  const command = words.find(
    (word, index) => /^[a-z]+$/.test(word) && !/^--(mcp|dialect)$/.test(words[index - 1] ?? ''),
  )
  const isStdio = command === 'serve' && words.includes('--stdio')
  return ['toolbridge', ...(command === undefined ? [] : [command]), ...(isStdio ? ['--stdio'] : [])].join(
    ' ',
  )
}
