/** Authorization for programs on a person's own machine: Node and Bun only. */

export { loopbackAuthProvider, type LoopbackOptions } from './auth/loopback-provider.ts'
