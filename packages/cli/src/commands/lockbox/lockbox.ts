import type { Command } from '../../command.ts'
import { UsageError } from '../../usage-error.ts'
import { auditCommand } from './audit.ts'
import { rotateCommand } from './rotate.ts'
import { statusCommand } from './status.ts'
import { verifyCommand } from './verify.ts'

const subcommands: readonly Command[] = [statusCommand, verifyCommand, rotateCommand, auditCommand]

const width = Math.max(...subcommands.map(({ name }) => name.length))

const usage = [
  'Usage: toolbridge lockbox <command> [options]',
  '',
  ...subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  '',
  'The lockbox stores settings, secrets, questions and activity of the gateway. Every value is encrypted with a data key of its',
  'owner, and the data keys are encrypted with one key: that in the key file, or in TOOLBRIDGE_KEY.',
  '',
  'While a gateway runs on the data folder, it carries out the command; else the command opens the store itself.',
  '',
  'See toolbridge lockbox <command> --help for details.',
].join('\n')

export const lockboxCommand: Command = {
  name: 'lockbox',
  summary: 'Rotate the keys of the encrypted store, and check it and its audit',
  usage,
  options: {},
  subcommands,
  load: () => Promise.reject(new UsageError('missing subcommand', ['', ...usage.split('\n')])),
}
