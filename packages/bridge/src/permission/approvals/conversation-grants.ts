import { type Origin, originKey } from '../../origin.ts'

const maxConversations = 10_000
const maxGrants = 1_000

/** Grants for the rest of a conversation. Kept in memory; the oldest are dropped first. */
export class ConversationGrants {
  readonly #byConversation = new Map<string, Set<string>>()

  has(origin: Origin, key: string): boolean {
    return this.#byConversation.get(originKey(origin))?.has(key) ?? false
  }

  add(origin: Origin, key: string): void {
    const conversation = originKey(origin)
    const grants = this.#byConversation.get(conversation) ?? new Set()
    this.#byConversation.set(conversation, grants)
    grants.add(key)
    dropOldest(grants, maxGrants)
    dropOldest(this.#byConversation, maxConversations)
  }

  /** Drops the grants of a conversation. */
  forget(origin: Origin): void {
    this.#byConversation.delete(originKey(origin))
  }
}

function dropOldest(kept: Set<string> | Map<string, unknown>, max: number): void {
  if (kept.size <= max) return
  for (const oldest of kept.keys()) return void kept.delete(oldest)
}
