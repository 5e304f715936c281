/** The key of a stored input. */
export interface CredentialKey {
  /** The principal who entered the value. */
  readonly principal: string
  /** Name of the server whose definition asks for the value. */
  readonly server: string
  /** Id of the input in the definition. */
  readonly id: string
}

/** Stores the inputs of people. Values are secrets. */
export interface CredentialStore {
  /** Resolves with the stored value, or undefined. */
  get(key: CredentialKey): Promise<string | undefined>
  /** Stores a value. */
  set(key: CredentialKey, value: string): Promise<void>
  /** Deletes a value, if there is one. */
  delete(key: CredentialKey): Promise<void>
}

/** Creates a store in memory that ends with the process. */
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
