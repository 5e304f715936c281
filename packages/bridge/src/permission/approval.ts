import { randomUUID } from 'node:crypto'
import { abortable } from '../abortable.ts'
import type { BridgeTool } from '../catalog/catalog.ts'
import {
  type Answer,
  type Answerer,
  type ApprovalQuestion,
  type Origin,
  originKey,
  type ShownArguments,
} from '../elicitation/question.ts'
import { DeniedError } from '../errors.ts'
import type { Emit } from '../journal/emit.ts'
import { Turns } from '../turns.ts'

export interface ApprovalRequest {
  readonly tool: BridgeTool
  readonly args: Readonly<Record<string, unknown>>
  readonly origin: Origin
  readonly approver: Answerer | undefined
  readonly signal: AbortSignal
}

/** Asks people whether calls may be made: one question at a time for each conversation. */
export class Approvals {
  readonly #turns = new Turns()
  readonly #emit: Emit

  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** Resolves when the call is approved; rejects with a `DeniedError`, or with the signal's reason. */
  async ask(request: ApprovalRequest): Promise<void> {
    const { approver, tool, signal } = request
    if (approver === undefined) {
      const message = `${tool.name} needs an approval and there is nobody to ask; allow it by a rule or give an answerer`
      throw new DeniedError(message, { code: 'no_answerer' })
    }
    const answer = await this.#turns.take(originKey(request.origin), signal, () =>
      this.#put(approver, request),
    )
    if (answer.action === 'accept') return
    throw answer.action === 'decline'
      ? new DeniedError(`the call of ${tool.name} was refused`, { code: 'approval_refused' })
      : new DeniedError(`nobody decided about the call of ${tool.name}`, { code: 'approval_expired' })
  }

  async #put(approver: Answerer, { tool, args, origin, signal }: ApprovalRequest): Promise<Answer> {
    const question: ApprovalQuestion = {
      kind: 'approval',
      id: randomUUID(),
      origin,
      server: tool.server,
      tool: tool.name,
      message: `Allow this call of ${tool.name}?`,
      detail: approvalDetail(tool.name, args),
      arguments: shownArguments(args),
    }
    const { id: questionId, server } = question
    this.#emit({ type: 'question.asked', questionId, server, origin })
    try {
      const answer = await abortable(approver.ask(question, { signal }), signal)
      this.#emit({ type: 'question.answered', questionId, server, action: answer.action })
      return answer
    } catch (error) {
      this.#emit({ type: 'question.answered', questionId, server, action: 'cancel' })
      if (signal.aborted) throw error
      throw new DeniedError(`${tool.name} could not be put to anybody`, { code: 'no_answerer', cause: error })
    }
  }
}

const maxDetailLength = 200

/** What a person is shown of a call: `<tool> <json arguments>`, at most 200 characters, none of them cut in half. */
export function approvalDetail(tool: string, args: Readonly<Record<string, unknown>>): string {
  const characters = Array.from(`${tool} ${JSON.stringify(args)}`)
  if (characters.length <= maxDetailLength) return characters.join('')
  return `${characters.slice(0, maxDetailLength - 1).join('')}…`
}

const maxArgumentsLength = 65_536

/** All arguments of a call, as long as there are no more than 64 Ki characters of them; none is cut in half. */
export function shownArguments(args: Readonly<Record<string, unknown>>): ShownArguments {
  const all = JSON.stringify(args, null, 2)
  const text = all.slice(0, maxArgumentsLength).replace(/\p{Surrogate}$/u, '')
  return { text, omitted: all.length - text.length }
}
