import type { Readable, Writable } from 'node:stream'
import { isCancel, note, select } from '@clack/prompts'
import type { ElicitValue, JsonSchema } from '@toolbridge/client'
import { KeyedMutex, linkedSignal, printable } from '@toolbridge/client/internal'
import { type FormField, readForm } from '../form.ts'
import type { Answer, Answerer, FormQuestion, Question } from '../question.ts'
import { askUrl, type OpenUrl } from './terminal-url.ts'
import { askApproval } from './terminal-approval.ts'
import { askField, type Screen } from './terminal-field.ts'
import { askInput } from './terminal-input.ts'

export type { OpenUrl } from './terminal-url.ts'

/** Options of `terminalAnswerer`. */
export interface TerminalAnswererOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable
  /** Default: `process.stdout`. */
  readonly output?: Writable
  /** Opens the URLs that the person agreed to. Default: the person opens them. */
  readonly openUrl?: OpenUrl
  /**
   * Called on Ctrl-C, which cancels the question, as Escape, Ctrl-D and the end of the input do without a call. Default:
   * none.
   */
  readonly onInterrupt?: () => void
}

/**
 * Creates an answerer that asks the person at this terminal, one question at a time. Use it only if the terminal is
 * interactive; without an answerer questions are declined instead of waiting.
 */
export function terminalAnswerer(options: TerminalAnswererOptions = {}): Answerer {
  const { onInterrupt = () => {}, openUrl, ...streams } = options
  const mutex = new KeyedMutex()
  return {
    ask: (question, { signal }) =>
      mutex.run('terminal', signal, () =>
        onScreen(streams, onInterrupt, signal, (screen) => askPerson(question, openUrl, screen)),
      ),
  }
}

/** A form of the program itself, such as the arguments of a tool. */
export interface TerminalForm {
  /** Its fields: text, numbers, flags and choices. */
  readonly schema: JsonSchema
  /** Heading of the form. */
  readonly title: string
  /** Text below the heading. */
  readonly message: string
  /** Question at the end, before the values are used. */
  readonly confirm: string
}

/** Asks the person at this terminal to fill in a form. Declines a form with other fields. */
export function askTerminalForm(
  form: TerminalForm,
  { onInterrupt = () => {}, signal, ...streams }: TerminalFormOptions,
): Promise<Answer> {
  return onScreen(streams, onInterrupt, signal, (screen) => askForm(form, screen))
}

/** Options of `askTerminalForm`. */
export interface TerminalFormOptions extends Omit<TerminalAnswererOptions, 'openUrl'> {
  /** Aborting cancels the form. */
  readonly signal: AbortSignal
}

async function onScreen<T>(
  streams: Omit<Screen, 'signal'>,
  onInterrupt: () => void,
  signal: AbortSignal,
  ask: (screen: Screen) => Promise<T>,
): Promise<T> {
  using typing = listenTo(streams.input ?? process.stdin, onInterrupt)
  // A prompt never stops listening to its signal and would take the terminal from a later prompt.
  using asking = linkedSignal(signal, typing.ended)
  return await ask({ ...streams, signal: asking.signal })
}

/** `ended` is aborted at the end of the input and on Ctrl-D, which prompts do not notice themselves. */
function listenTo(input: Readable, onInterrupt: () => void): Disposable & { readonly ended: AbortSignal } {
  const ended = new AbortController()
  const onEnd = (): void => ended.abort()
  const onKey = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl !== true) return
    if (key.name === 'c') onInterrupt()
    if (key.name === 'd') onEnd()
  }
  if (input.readableEnded || input.destroyed) onEnd()
  input.on('keypress', onKey).on('end', onEnd).on('close', onEnd)
  return {
    ended: ended.signal,
    [Symbol.dispose]: () => void input.off('keypress', onKey).off('end', onEnd).off('close', onEnd),
  }
}

function askPerson(question: Question, openUrl: OpenUrl | undefined, screen: Screen): Promise<Answer> {
  switch (question.kind) {
    case 'form':
      return askForm(formOf(question), screen)
    case 'approval':
      return askApproval(question, serverName(question), screen)
    case 'url':
    case 'consent':
      return askUrl(question, serverName(question), openUrl, screen)
    case 'input':
      return askInput(question, serverName(question), screen)
  }
}

type Values = Readonly<Record<string, ElicitValue>>

function formOf(question: FormQuestion): TerminalForm {
  const asker = serverName(question)
  const { schema, message } = question
  return { schema, message, title: `${asker} asks`, confirm: `Send this to ${asker}?` }
}

async function askForm({ schema, title, message, confirm }: TerminalForm, screen: Screen): Promise<Answer> {
  const form = readForm(schema)
  if (form.kind === 'unsupported') return { action: 'decline' }
  note(printable(message, { maxLength: 2_000, keepLines: true }), title, screen)
  let values: Values = {}
  for (;;) {
    const filledIn = await fillIn(form.fields, values, screen)
    if (filledIn === undefined) return { action: 'cancel' }
    const decision = await review(confirm, screen)
    if (decision === 'accept') return { action: 'accept', content: filledIn }
    if (decision !== 'change') return { action: decision }
    values = filledIn
  }
}

/** Undefined if the person cancels. */
async function fillIn(
  fields: readonly FormField[],
  before: Values,
  screen: Screen,
): Promise<Values | undefined> {
  const values: Record<string, ElicitValue> = {}
  for (const field of fields) {
    const answer = await askField(field, own(before, field.name), screen)
    if (answer.kind === 'cancelled') return undefined
    if (answer.kind === 'given') values[field.name] = answer.value
  }
  return values
}

function own(values: Values, name: string): ElicitValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

async function review(message: string, screen: Screen): Promise<'accept' | 'change' | 'decline' | 'cancel'> {
  const decision = await select<'accept' | 'change' | 'decline'>({
    message,
    options: [
      { value: 'accept', label: 'Send' },
      { value: 'change', label: 'Change it' },
      { value: 'decline', label: 'Decline to answer' },
    ],
    ...screen,
  })
  return isCancel(decision) ? 'cancel' : decision
}

function serverName({ server }: Question): string {
  return `server "${printable(server, { maxLength: 60 })}"`
}
