/** The official SDKs as judges of what a client sends. */

export { legacyMistakes } from './legacy.ts'
export { modernMistakes } from './modern.ts'
export type { Spoken } from './spoken.ts'
