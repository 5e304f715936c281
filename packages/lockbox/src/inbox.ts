/** A question that waits for its owner. */
export type InboxItem = { readonly id: string; readonly askedAt: Date; readonly payload: unknown }

/** Questions that wait for a person, sealed. An item is open until it is answered or withdrawn, whichever is first. */
export interface Inbox {
  /** Adds an open item; asking the same id again changes nothing. */
  ask(owner: string, item: { readonly id: string; readonly payload: unknown }): Promise<void>
  /** The owner's open items, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Closes the item with this answer; false when it is not there, not this owner's, or already closed. */
  answer(owner: string, id: string, answer: unknown): Promise<boolean>
  /** Closes the item without an answer; false under the same conditions as `answer`. */
  withdraw(owner: string, id: string): Promise<boolean>
  /** Withdraws every open item of every owner: for a process that starts alone and knows that their calls are gone. */
  withdrawAll(): Promise<number>
}
