import type { Issue } from '@toolbridge/bridge'
import { isAddressRange } from './http/request-source.ts'
import { isWebOrigin } from './middleware/web-origin.ts'

/** Options about other machines. */
interface NetworkOptions {
  readonly allowedOrigins?: readonly string[]
  readonly trustedProxies?: readonly string[]
}

/** Returns what is wrong with the options. */
export function networkIssues({
  allowedOrigins = [],
  trustedProxies = [],
}: NetworkOptions): readonly Issue[] {
  return [
    ...allowedOrigins.flatMap((origin, index) => (isWebOrigin(origin) ? [] : [notAnOrigin(origin, index)])),
    ...trustedProxies.flatMap((range, index) => (isAddressRange(range) ? [] : [notARange(range, index)])),
  ]
}

function notAnOrigin(origin: string, index: number): Issue {
  return {
    code: 'origin_invalid',
    severity: 'error',
    file: 'gateway options',
    path: `/allowedOrigins/${index}`,
    message: `"${origin}" is not the origin of a web page`,
    fix: 'write scheme, host and port as browsers do, such as https://app.example or http://localhost:5173',
  }
}

function notARange(range: string, index: number): Issue {
  return {
    code: 'proxy_invalid',
    severity: 'error',
    file: 'gateway options',
    path: `/trustedProxies/${index}`,
    message: `"${range}" is not an IP address`,
    fix: 'write an address or a range, such as 127.0.0.1, 10.0.0.0/8 or fd00::/8',
  }
}
