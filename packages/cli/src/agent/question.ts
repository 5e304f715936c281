import { text as readAll } from 'node:stream/consumers'
import { abortable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** What the words of a command line ask. */
export interface Question {
  readonly text: string
  /** Arguments of the prompt, as `name=value`. */
  readonly promptArguments: readonly string[]
}

/** Separates the words of the question from the arguments of the prompt, if there is one. */
export function questionWords({ positionals, options }: Invocation): {
  readonly words: readonly string[]
  readonly promptArguments: readonly string[]
} {
  const isArgument = (word: string): boolean => options['prompt'] !== undefined && /^[\w-]+=/.test(word)
  return {
    words: positionals.filter((word) => !isArgument(word)),
    promptArguments: positionals.filter(isArgument),
  }
}

/** Reads the question of a command line; `-` stands for the standard input. `missing` is said if there is none. */
export async function readQuestion(invocation: Invocation, missing: string): Promise<Question> {
  const { words, promptArguments } = questionWords(invocation)
  if (words.filter((word) => word === '-').length > 1)
    throw new UsageError('the standard input can be read only once')
  const text = await textOf(words, invocation)
  if (text === '' && invocation.options['prompt'] === undefined) throw new UsageError(missing)
  return { text, promptArguments }
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
