import type { JsonValue } from '../documents/json-value.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readText, readTexts } from './read-values.ts'
import { list, text } from './values.ts'

/** A command with its arguments in one array. */
export const commandList: FieldRule = {
  specFields: ['command', 'args'],
  outcome: 'translated',
  note: 'an array of the program and its arguments',
  read: (field, entry) => {
    const words = readTexts(field, entry, quoted(field))
    if (words === undefined) return
    const [command, ...args] = words.map(({ location, value }, index) =>
      entry.text(location, value, index === 0 ? 'command' : 'args'),
    )
    if (command === undefined || command === '')
      return entry.invalid(field, quoted(field), 'an array that starts with a program')
    entry.specFields.command = command
    if (args.length > 0) entry.specFields.args = args
  },
  write: (specFields, writer): JsonValue | undefined => {
    const command = text('command').write?.(specFields, writer)
    const args = list('args').write?.(specFields, writer)
    return command === undefined
      ? undefined
      : [command, ...(Array.isArray(args) ? (args as readonly JsonValue[]) : [])]
  },
}

/** A command as an array, or as a line that is split at whitespace. */
export const commandLine: FieldRule = {
  specFields: ['command', 'args'],
  note: 'an array, or a line that is split at unquoted whitespace',
  read: (field, entry) => {
    if (field.node.type === 'array') return commandList.read(field, entry)
    const line = readText(field, entry, quoted(field))
    if (line === undefined) return
    const [command = '', ...args] = splitLine(line)
    entry.specFields.command = entry.text(field, command, 'command')
    if (args.length > 0)
      entry.specFields.args = [
        ...args.map((arg) => entry.text(field, arg, 'args')),
        ...(entry.specFields.args ?? []),
      ]
  },
}

/** Arguments that follow those of a command line. */
export const furtherArguments: FieldRule = {
  ...list('args'),
  read: (field, entry) => {
    const before = entry.specFields.args ?? []
    list('args').read(field, entry)
    if (before.length > 0) entry.specFields.args = [...before, ...(entry.specFields.args ?? [])]
  },
}

/** Quotes may be inside a word; an unterminated quote is an ordinary character. */
function splitLine(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_quoted, double?: string, single?: string) => double ?? single ?? '',
    ),
  )
}
