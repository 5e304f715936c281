import { quoted } from './entry-reader.ts'
import { readText, readTexts } from './read-values.ts'
import type { FieldRule, Plain } from './field-rule.ts'
import { list, text } from './values.ts'

/** A command with its arguments in one array. */
export const commandList: FieldRule = {
  slots: ['command', 'args'],
  outcome: 'translated',
  note: 'an array: the program, then its arguments',
  read: (field, entry) => {
    const words = readTexts(field, entry, quoted(field))
    if (words === undefined) return
    const [command, ...args] = words.map(({ place, value }, index) =>
      entry.text(place, value, index === 0 ? 'command' : 'args'),
    )
    if (command === undefined || command === '')
      return entry.invalid(field, quoted(field), 'an array that begins with a program')
    entry.slots.command = command
    if (args.length > 0) entry.slots.args = args
  },
  write: (slots, writer): Plain | undefined => {
    const command = text('command').write?.(slots, writer)
    const args = list('args').write?.(slots, writer)
    return command === undefined
      ? undefined
      : [command, ...(Array.isArray(args) ? (args as readonly Plain[]) : [])]
  },
}

/** A command as an array, or as a line that is split at blanks. */
export const commandLine: FieldRule = {
  slots: ['command', 'args'],
  note: 'an array, or a line that is split at blanks outside of quotes',
  read: (field, entry) => {
    if (field.node.type === 'array') return commandList.read(field, entry)
    const line = readText(field, entry, quoted(field))
    if (line === undefined) return
    const [command = '', ...args] = splitLine(line)
    entry.slots.command = entry.text(field, command, 'command')
    if (args.length > 0)
      entry.slots.args = [...args.map((arg) => entry.text(field, arg, 'args')), ...(entry.slots.args ?? [])]
  },
}

/** Arguments that follow those of a command line. */
export const furtherArguments: FieldRule = {
  ...list('args'),
  read: (field, entry) => {
    const before = entry.slots.args ?? []
    list('args').read(field, entry)
    if (before.length > 0) entry.slots.args = [...before, ...(entry.slots.args ?? [])]
  },
}

/** Quotes may also stand inside a word; one that is not closed is a character like any other. */
function splitLine(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_quoted, double?: string, single?: string) => double ?? single ?? '',
    ),
  )
}
