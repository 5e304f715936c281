import type { SandboxOptions } from '@toolbridge/gateway'
import { type Options, type OptionTable, textOption, textOptions } from './command.ts'
import { incomplete } from './incomplete-options.ts'
import { commandWords } from './servers/command-words.ts'

/** Options of `serve` for programs that people save. */
export const sandboxOptions: OptionTable = {
  'sandbox-command': { type: 'string' },
  'allow-command': { type: 'string', multiple: true },
  'allow-env': { type: 'string', multiple: true },
}

/** Help of these options. */
export const sandboxHelp: readonly string[] = [
  '  --sandbox-command <command>    put in front of each program, such as "setpriv --reuid=tools --regid=tools --clear-groups --".',
  '                                 Checked at the start: it must change the user, and the gateway must be able to stop programs',
  '  --allow-command <command>      program with all its arguments that may be added. No other is started. Can be repeated',
  '  --allow-env <name>             environment variable that may be added to them. Can be repeated',
]

/** Reads the options of a sandbox. Undefined without any. Throws if they are incomplete. */
export function sandboxFrom(options: Options): SandboxOptions | undefined {
  const given = Object.keys(sandboxOptions).find((name) => options[name] !== undefined)
  if (given === undefined) return undefined
  const command = textOption(options, 'sandbox-command')
  const allowed = textOptions(options, 'allow-command')
  if (command === undefined || allowed.length === 0)
    throw incomplete(given, { 'sandbox-command': command, 'allow-command': allowed[0] })
  return {
    command: commandWords(command, 'sandbox-command'),
    allow: allowed.map((line) => commandWords(line, 'allow-command')),
    env: textOptions(options, 'allow-env'),
  }
}
