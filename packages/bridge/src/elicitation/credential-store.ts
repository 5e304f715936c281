/** What a kept value belongs to. */
export interface CredentialKey {
  readonly principal: string
  /** Name of the server whose definition asks for it: another server's is another value. */
  readonly server: string
  /** What the definition calls it. */
  readonly id: string
}

/** Keeps what people said when a definition asked for it. Values are secrets. */
export interface CredentialStore {
  get(key: CredentialKey): Promise<string | undefined>
  set(key: CredentialKey, value: string): Promise<void>
  delete(key: CredentialKey): Promise<void>
}

/** Keeps them for as long as the process runs. */
export function memoryCredentialStore(): CredentialStore {
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(textOf(key)),
    set: async (key, value) => void values.set(textOf(key), value),
    delete: async (key) => void values.delete(textOf(key)),
  }
}

function textOf({ principal, server, id }: CredentialKey): string {
  return JSON.stringify([principal, server, id])
}
