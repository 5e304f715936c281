/** Something that happened for an owner. */
export type ActivityEntry = { readonly id: string; readonly at: Date; readonly payload: unknown }

/** What happened lately, sealed, per owner; the oldest entries give way to new ones. */
export interface Activity {
  /** Keeps the entry; the same id again replaces it. */
  record(owner: string, entry: ActivityEntry): Promise<void>
  /** At most `limit` entries, newest first. */
  recent(owner: string, limit: number): Promise<readonly ActivityEntry[]>
}
