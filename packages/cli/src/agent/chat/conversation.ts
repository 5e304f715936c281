import type { ModelMessage } from '@toolbridge/agent'

/** The messages of a chat. Always valid for another request: every call has a result, and the model speaks last. */
export class Conversation {
  #messages: readonly ModelMessage[] = []
  #attached: readonly ModelMessage[] = []

  /** Adds messages to the next question, such as the contents of a resource. */
  attach(messages: readonly ModelMessage[]): void {
    this.#attached = [...this.#attached, ...messages]
  }

  /** Takes what was attached, followed by a question. */
  asked(...questions: readonly ModelMessage[]): readonly ModelMessage[] {
    const asked = [...this.#attached, ...questions]
    this.#attached = []
    return asked
  }

  /** What is sent to the model with these questions. */
  with(asked: readonly ModelMessage[]): readonly ModelMessage[] {
    return [...this.#messages, ...asked]
  }

  /**
   * Keeps a turn. `ending` is said for the model if it ended with calls. Keeps nothing if the model has neither said nor done
   * anything: what was asked may be the reason.
   */
  keep(asked: readonly ModelMessage[], answered: readonly ModelMessage[], ending: string): void {
    const said = answered.filter(({ content }) => content.length > 0)
    const last = said.at(-1)
    if (last === undefined) return
    const end: readonly ModelMessage[] =
      last.role === 'assistant' ? [] : [{ role: 'assistant', content: `[${ending}]` }]
    this.#messages = [...this.#messages, ...asked, ...said, ...end]
  }

  /** Forgets everything. */
  clear(): void {
    this.#messages = []
    this.#attached = []
  }
}
