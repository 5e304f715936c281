import { randomUUID } from 'node:crypto'
import { abortable, escapeInvisible, isTooDeep, KeyedMutex, linkedSignal } from '@toolbridge/client/internal'
import {
  type Answer,
  type Answerer,
  type ApprovalDecision,
  type ApprovalQuestion,
  canShow,
  type ShownArguments,
} from '../../elicitation/question.ts'
import { type Origin, originKey } from '../../origin.ts'
import { DeniedError } from '../../errors.ts'
import type { Emit } from '../../journal/events/emit.ts'
import type { Clock } from '../../async/clock.ts'

export interface ApprovalRequest {
  readonly server: string
  /** The name to show: the public name of a tool, or a URI. */
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly origin: Origin
  readonly approver: Answerer | undefined
  readonly signal: AbortSignal
  /** Id of the call in the journal. Empty or omitted if there is none. */
  readonly callId?: string
}

/** The content of an approval question. */
export interface ApprovalPrompt {
  readonly message: string
  /** Why an approval is needed. */
  readonly reason: string
  /** What to do when there is no answerer. */
  readonly advice: string
  /** A line diff to the approved definition of the tool. */
  readonly change?: string | undefined
  readonly decisions: readonly ApprovalDecision[]
  /** Whether the tool and its arguments are all that is asked about, so that an earlier approval of the call answers it. */
  readonly isAboutCallOnly?: boolean
}

/** An approval that waits for the earlier questions of its conversation. */
export interface PendingApproval {
  /** The prompt at the time of the call. */
  readonly prompt: ApprovalPrompt
  /** The prompt when the question is next; undefined if earlier answers settled it. */
  readonly currentPrompt: () => Promise<ApprovalPrompt | undefined>
  readonly keep: (decision: ApprovalDecision) => Promise<void>
}

export interface ApprovalOptions {
  readonly emit: Emit
  readonly clock: Clock
  /** Timeout for the decision of the person. */
  readonly answerTimeoutMs: number
}

/** Asks people to approve calls, one question at a time per conversation. */
export class Approvals {
  readonly #mutex = new KeyedMutex()
  readonly #options: ApprovalOptions

  constructor(options: ApprovalOptions) {
    this.#options = options
  }

  /**
   * Waits for the earlier questions of the conversation, asks unless their answers settled this one, and stores the
   * decision before the next question. Rejects with a `DeniedError` or the signal's reason.
   */
  async ask(request: ApprovalRequest, { prompt, currentPrompt, keep }: PendingApproval): Promise<void> {
    const { approver, tool, signal } = request
    if (approver === undefined || !canShow(approver, 'approval')) {
      const { reason, advice } = prompt
      const message = `${tool} needs an approval (${reason}) and there is no answerer; ${advice}`
      throw new DeniedError(message, { code: 'no_answerer' })
    }
    await this.#mutex.run(originKey(request.origin), signal, async () => {
      const open = await currentPrompt()
      if (open === undefined) return
      const current = { ...open, decisions: decisionsFor(request.origin, open) }
      await keep(decisionIn(await this.#put(approver, request, current), current, tool))
    })
  }

  async #put(approver: Answerer, request: ApprovalRequest, open: ApprovalPrompt): Promise<Answer> {
    const { tool, signal, callId = '' } = request
    const { emit, clock, answerTimeoutMs } = this.#options
    const question = questionOf(request, open)
    const { id: questionId, kind, server, origin } = question
    const tooLate = new AbortController()
    const stop = clock.after(answerTimeoutMs, () => tooLate.abort())
    using ended = linkedSignal(signal, tooLate.signal)
    emit({ type: 'question.asked', questionId, kind, server, origin, ...(callId === '' ? {} : { callId }) })
    try {
      const answer = await abortable(approver.ask(question, ended), ended.signal)
      emit({ type: 'question.answered', questionId, server, action: answer.action })
      return answer
    } catch (error) {
      emit({ type: 'question.answered', questionId, server, action: 'cancel' })
      if (signal.aborted) throw error
      if (tooLate.signal.aborted) return { action: 'cancel' }
      throw new DeniedError(`the approval of ${tool} failed: the answerer could not ask`, {
        code: 'no_answerer',
        cause: error,
      })
    } finally {
      stop()
    }
  }
}

/** An anonymous conversation has no rest that an approval could cover. */
function decisionsFor({ isAnonymous }: Origin, { decisions }: ApprovalPrompt): readonly ApprovalDecision[] {
  if (isAnonymous !== true) return decisions
  return decisions.filter((decision) => decision === 'once' || decision === 'always')
}

function questionOf({ server, tool, args, origin }: ApprovalRequest, open: ApprovalPrompt): ApprovalQuestion {
  const { message, reason, change, decisions } = open
  return {
    kind: 'approval',
    id: randomUUID(),
    origin,
    server,
    tool,
    message,
    reason,
    decisions,
    ...(change === undefined ? {} : { change }),
    detail: approvalDetail(tool, args),
    arguments: shownArguments(args),
  }
}

/** The decision of an accepted approval, limited to those on offer. */
function decisionIn(answer: Answer, { decisions }: ApprovalPrompt, tool: string): ApprovalDecision {
  if (answer.action === 'accept') {
    const { decision = 'once' } = answer
    return decisions.includes(decision) ? decision : 'once'
  }
  throw answer.action === 'decline'
    ? new DeniedError(`the call of ${tool} was refused`, { code: 'approval_refused' })
    : new DeniedError(`the approval of ${tool} was cancelled or timed out`, { code: 'approval_expired' })
}

const maxDetailLength = 200

/** `<tool> <json arguments>`, truncated to 200 characters at character boundaries. */
export function approvalDetail(tool: string, args: Readonly<Record<string, unknown>>): string {
  // Bounds the work on long texts.
  const beginning = `${tool} ${JSON.stringify(args)}`.slice(0, maxDetailLength * 3)
  const characters = Array.from(escapeInvisible(beginning))
  if (characters.length <= maxDetailLength) return characters.join('')
  return `${characters.slice(0, maxDetailLength - 1).join('')}…`
}

const maxArgumentsLength = 65_536

/** Indentation of deeper values would be a multiple of what they are. */
const maxIndentedLevels = 32

/** The arguments as JSON, indented unless they are nested very deeply, truncated to 64 Ki characters at a character boundary. */
export function shownArguments(args: Readonly<Record<string, unknown>>): ShownArguments {
  const all = escapeInvisible(JSON.stringify(args, null, isTooDeep(args, maxIndentedLevels) ? 0 : 2))
  const text = all.slice(0, maxArgumentsLength).replace(/\p{Surrogate}$/u, '')
  return { text, omitted: all.length - text.length }
}
