/** The official SDKs as judges of what a client sends. */

export { legacyMistakes } from './legacy.ts'
export { officialMethods } from './methods.ts'
export { modernMistakes } from './modern.ts'
export type { Spoken } from './spoken.ts'
