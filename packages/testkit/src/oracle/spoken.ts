/** A message as it was sent. */
export interface Spoken {
  readonly by: 'client' | 'server'
  readonly message: Readonly<Record<string, unknown>>
}

/** A schema of the official SDK. */
export interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } }
}

/** Schema errors list every alternative; the first part is enough. */
const SHOWN_CHARACTERS = 300

/** Returns the errors of a schema for a part of a message; empty if it is valid. */
export function check(schema: Schema, value: unknown, message: Spoken['message']): readonly string[] {
  const { success, error } = schema.safeParse(value)
  return success
    ? []
    : [`${JSON.stringify(message)}: ${error?.message.slice(0, SHOWN_CHARACTERS) ?? 'refused'}`]
}
