import type { ElicitationHandler } from '@toolbridge/client'
import type { JsonObject } from '@toolbridge/client/internal'
import type { Difference } from './compare-values.ts'
import { objectOf } from './exchanges.ts'
import { matches } from './match-params.ts'
import type { AnsweredQuestion } from './recorded-requests.ts'

/** Gives the recorded answers to the questions of one live request, and notes the others. */
export class LiveQuestions {
  readonly #left: AnsweredQuestion[]
  readonly #new: Difference[] = []

  constructor(recorded: readonly AnsweredQuestion[]) {
    this.#left = [...recorded]
  }

  answer(request: JsonObject): Awaited<ReturnType<ElicitationHandler>> {
    const at = this.#left.findIndex(({ params }) => matches(params['message'], request['message']))
    const [question] = at === -1 ? [] : this.#left.splice(at, 1)
    if (question === undefined) this.#new.push({ path: 'question', live: request['message'] })
    const { action, content } = objectOf(question?.answer)
    if (action === 'accept') return { action, content: { ...objectOf(content) } as Content }
    return { action: action === 'decline' ? action : 'cancel' }
  }

  differences(): readonly Difference[] {
    return [
      ...this.#left.map(({ params }) => ({ path: 'question', recorded: params['message'] })),
      ...this.#new,
    ]
  }
}

type Content = NonNullable<Extract<Awaited<ReturnType<ElicitationHandler>>, { action: 'accept' }>['content']>
