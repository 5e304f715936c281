/** What every implementation of a port must do, as tests. */

export { describeAuthStore } from './auth-store.ts'
export { describeGrantStore } from './grant-store.ts'
export { describeInputStore } from './input-store.ts'
export { describePinStore } from './pin-store.ts'
export { describeTrustStore } from './trust-store.ts'
