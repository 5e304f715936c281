/** Authorization of requests to one server, and the guard on addresses that a server names. Safe to load in a browser. */

export { createAuthSend } from './auth/send.ts'
export type { AuthSendOptions, GuardDiagnostic } from './auth/send-options.ts'
export type { ResolveHost, TlsOptions } from './connections/options.ts'
export { assertSafeAuthUrl } from './url-guard.ts'
export { type Ipv4Bytes, parseCanonicalIpv4 } from './url-guard/ipv4.ts'
export { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './url-guard/options.ts'
export { type BlockedRange, McpSsrfError, type SsrfReason } from './url-guard/ssrf-error.ts'
