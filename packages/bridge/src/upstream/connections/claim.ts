import { McpError } from '@toolbridge/client'
import type { Answerer } from '../../elicitation/question.ts'
import type { Origin } from '../../origin.ts'

/** Identity of a channel: the name that its answerer declares, else the answerer. Undefined: the caller has none. */
export type Channel = string | Answerer | undefined

/** A caller: its conversation, and the channel that its questions go to. */
export interface Caller {
  readonly origin: Origin
  /** The answerer that the caller named. */
  readonly answerer: Answerer | undefined
}

/** The channel of a connection that has passed on and is unused. Equal to no other. */
const nobody: Channel = { ask: async () => ({ action: 'decline' }) }

/**
 * Which caller has a connection over which the server may ask at any time. Only one at a time, so that every question
 * during a call belongs to the caller. Callers of different principals never compete for a connection.
 */
export class Claim {
  #origin: Origin | undefined
  #channel: Channel
  #answerer: Answerer | undefined
  #isClean = true
  #hasPassed = false

  /** Whether no caller had the connection yet. */
  get isNew(): boolean {
    return this.#origin === undefined
  }

  /** Whether several callers had the connection, so that a question outside of calls can be of any of them. */
  get hasPassed(): boolean {
    return this.#hasPassed
  }

  /** The latest caller. */
  get origin(): Origin | undefined {
    return this.#origin
  }

  /** Answerer of the latest call, for late questions. */
  get answerer(): Answerer | undefined {
    return this.#answerer
  }

  /** Whether a caller may use the connection along with its present users. One without a channel follows its conversation. */
  belongsTo({ conversation }: Origin, channel: Channel): boolean {
    return (
      (this.#channel === channel || channel === undefined || this.#channel === undefined) &&
      this.#origin?.conversation === conversation
    )
  }

  /** Whether the unused connection may pass to a caller: the server owes nothing to the previous one. */
  mayPassTo({ conversation }: Origin): boolean {
    const origin = this.#origin
    if (origin === undefined) return true
    return this.#isClean && (origin.isAnonymous === true || origin.conversation === conversation)
  }

  /** Records a call of a caller that the connection belongs to or may pass to. */
  enter({ origin, answerer }: Caller, channel: Channel): void {
    if (!this.belongsTo(origin, channel)) {
      this.#hasPassed = this.#origin !== undefined
      this.#origin = origin
      this.#channel = channel
      this.#answerer = undefined
    }
    if (channel === undefined) return
    this.#channel = channel
    this.#answerer = answerer
  }

  /** Passes the connection to the caller of another one. */
  take(other: Claim): void {
    this.#hasPassed = true
    this.#origin = other.#origin
    this.#channel = other.#channel
    this.#answerer = other.#answerer
  }

  /** Records a failed request. Unless the server answered with that error, it may still ask because of the request. */
  failed(error: unknown): void {
    const isAnswer = error instanceof McpError && (error.kind === 'peer' || error.kind === 'unauthorized')
    if (!isAnswer) this.#isClean = false
  }

  /** To be called when the connection is unused: releases an answerer that gets no further questions. */
  rest(): void {
    if (!this.#hasPassed || !this.#isClean) return
    this.#channel = nobody
    this.#answerer = undefined
  }
}
