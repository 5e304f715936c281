import { text as readAll } from 'node:stream/consumers'
import { abortable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** What the words of a command line ask. */
export interface Question {
  readonly text: string
  /** Words of the form `name=value`, if there is a prompt. */
  readonly promptArguments: readonly string[]
}

/** Reads the question of a command line; `-` stands for the standard input. `missing` is said if there is none. */
export async function readQuestion(invocation: Invocation, missing: string): Promise<Question> {
  const { positionals, options } = invocation
  const hasPrompt = options['prompt'] !== undefined
  const isArgument = (word: string): boolean => hasPrompt && /^[\w-]+=/.test(word)
  const words = positionals.filter((word) => !isArgument(word))
  if (words.filter((word) => word === '-').length > 1)
    throw new UsageError('the standard input can be read only once')
  const text = await textOf(words, invocation)
  if (text === '' && !hasPrompt) throw new UsageError(missing)
  return { text, promptArguments: positionals.filter(isArgument) }
}

/** The words, with the standard input as a paragraph of its own. */
async function textOf(words: readonly string[], { terminal }: Invocation): Promise<string> {
  const dash = words.indexOf('-')
  if (dash === -1) return words.join(' ').trim()
  const input = await abortable(readAll(terminal.stdin), terminal.signal)
  const paragraphs = [words.slice(0, dash).join(' '), input, words.slice(dash + 1).join(' ')]
  return paragraphs
    .map((paragraph) => paragraph.trimEnd())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}
