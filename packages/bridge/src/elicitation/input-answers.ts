import { randomUUID } from 'node:crypto'
import { abortable, KeyedMutex, linkedSignal } from '@toolbridge/client/internal'
import type { InputRequest, InputSource, InputSpec } from '../config/spec/input-spec.ts'
import { systemClock } from '../async/clock.ts'
import { DestinationChangedError } from '../errors.ts'
import type { CredentialStore } from './credential-store.ts'
import { type Answerer, canShow, type InputQuestion } from './question.ts'
import type { Origin } from '../origin.ts'

/** Options of `inputAnswers`. */
export interface InputAnswersOptions {
  /** The caller who is asked and owns the stored values. */
  readonly origin: Origin
  /** Brings the question to the person. Default: none; only stored values are used. */
  readonly answerer?: Answerer
  /** Where values are stored. */
  readonly store: CredentialStore
  /** Timeout for the answer of the person. Default: 1 h. */
  readonly timeoutMs?: number
}

const never = new AbortController().signal

/**
 * Creates a source for `${input:…}` and `${secret:…}` in definitions: returns the stored value, else asks the person once
 * per server and input and stores the answer. A value that was entered for another destination is asked for again, with both
 * destinations. Secrets are looked up only, never asked for.
 */
export function inputAnswers(options: InputAnswersOptions): InputSource {
  const { origin, answerer, store, timeoutMs = 3_600_000 } = options
  const mutex = new KeyedMutex()
  async function answer(request: InputRequest, signal: AbortSignal): Promise<string | undefined> {
    const key = { principal: origin.principal, server: request.server, id: request.id }
    const { destination } = request
    const kept = await store.get(key, destination).catch(changedDestination)
    if (typeof kept === 'string') return kept
    if (request.kind === 'secret' || answerer === undefined || !canShow(answerer, 'input')) {
      if (kept !== undefined) throw kept
      return undefined
    }
    const question = questionOf(request, origin, kept)
    const value = await valueFrom(answerer, question, timeoutMs, signal)
    if (value !== undefined) await store.set(key, value, destination)
    return value
  }
  return {
    answer: (request, { signal = never }) =>
      mutex.run(JSON.stringify([request.server, request.id]), signal, () => answer(request, signal)),
  }
}

function changedDestination(error: unknown): DestinationChangedError {
  if (error instanceof DestinationChangedError) return error
  throw error
}

function questionOf(
  { server, kind: _kind, destination: _destination, ...input }: InputRequest,
  origin: Origin,
  changed: DestinationChangedError | undefined,
): InputQuestion {
  const wanted = input.description ?? `Value for ${input.id}`
  const message = changed === undefined ? wanted : `${wanted} (${changed.message})`
  return { kind: 'input', id: randomUUID(), origin, server, message, input }
}

async function valueFrom(
  answerer: Answerer,
  question: InputQuestion,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const tooLate = new AbortController()
  const stop = systemClock.after(timeoutMs, () => tooLate.abort())
  using ended = linkedSignal(signal, tooLate.signal)
  try {
    const answer = await abortable(answerer.ask(question, ended), ended.signal)
    const value = answer.action === 'accept' ? answer.content?.['value'] : undefined
    return typeof value === 'string' && isOffered(value, question.input) ? value : undefined
  } catch {
    // An error of an answerer may contain the answer.
    signal.throwIfAborted()
    return undefined
  } finally {
    stop()
  }
}

function isOffered(value: string, { options = [] }: InputSpec): boolean {
  return options.length === 0 || options.includes(value)
}
