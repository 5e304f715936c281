import { expect } from 'vitest'

/** Waits for a value to become what is expected, as long as a machine with other work may take. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read)
}
