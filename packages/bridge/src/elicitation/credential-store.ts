import type { InputDestination } from '../config/spec/input-spec.ts'
import { DestinationChangedError } from '../errors.ts'

/** The key of a stored input. */
export interface CredentialKey {
  /** The principal who entered the value. */
  readonly principal: string
  /** Name of the server whose definition asks for the value. */
  readonly server: string
  /** Id of the input in the definition. */
  readonly id: string
}

/** Stores the inputs of people with the destination that each was entered for. Values are secrets. */
export interface CredentialStore {
  /**
   * Resolves with the stored value, or undefined. Rejects with a `DestinationChangedError` if it was entered for another
   * destination; see `destinationChange`.
   */
  get(key: CredentialKey, destination: InputDestination): Promise<string | undefined>
  /** Stores a value for a destination. */
  set(key: CredentialKey, value: string, destination: InputDestination): Promise<void>
  /** Deletes a value, if there is one. */
  delete(key: CredentialKey): Promise<void>
}

/**
 * Returns the error of a stored input that was entered for another target, or not for all fields that are now filled with it;
 * undefined if the value may be used. For implementations of `CredentialStore`.
 */
export function destinationChange(
  { server, id }: CredentialKey,
  stored: InputDestination,
  requested: InputDestination,
): DestinationChangedError | undefined {
  const isCovered = requested.fields.every((field) => stored.fields.includes(field))
  if (stored.target === requested.target && isCovered) return undefined
  return new DestinationChangedError(`${id} of server "${server}"`, stored, requested)
}

/** Creates a store in memory that ends with the process. */
export function memoryCredentialStore(): CredentialStore {
  const values = new Map<string, { readonly value: string; readonly destination: InputDestination }>()
  return {
    get: async (key, destination) => {
      const stored = values.get(textOf(key))
      const changed = stored && destinationChange(key, stored.destination, destination)
      if (changed !== undefined) throw changed
      return stored?.value
    },
    set: async (key, value, destination) => void values.set(textOf(key), { value, destination }),
    delete: async (key) => void values.delete(textOf(key)),
  }
}

function textOf({ principal, server, id }: CredentialKey): string {
  return JSON.stringify([principal, server, id])
}
