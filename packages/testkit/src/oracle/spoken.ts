/** A message of a conversation, as it travelled. */
export interface Spoken {
  readonly by: 'client' | 'server'
  readonly message: Readonly<Record<string, unknown>>
}

/** A schema of the official SDK. */
export interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } }
}

/** The schemas name every alternative that does not fit; the beginning is enough. */
const SHOWN_CHARACTERS = 300

/** What a schema says against a part of a message; nothing if it accepts it. */
export function check(schema: Schema, value: unknown, message: Spoken['message']): readonly string[] {
  const { success, error } = schema.safeParse(value)
  return success
    ? []
    : [`${JSON.stringify(message)}: ${error?.message.slice(0, SHOWN_CHARACTERS) ?? 'refused'}`]
}
