/** OAuth authorization for programs on a person's own machine. Node and Bun only. */

export { fileAuthProvider, fileAuthStore, type FileAuthStoreOptions } from './auth/stores/file-auth-store.ts'
export { loopbackAuthProvider, type LoopbackAuthProviderOptions } from './auth/loopback/loopback-provider.ts'
