/** Validates the messages of a client with the official SDKs. */

export { legacyMistakes } from './legacy.ts'
export { officialMethods } from './methods.ts'
export { modernMistakes } from './modern.ts'
export type { Spoken } from './spoken.ts'
