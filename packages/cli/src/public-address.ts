import { isIP } from 'node:net'
import { isLoopbackHostname, parsedUrl } from '@toolbridge/client/internal'
import { type Options, textOption } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Where a gateway can be reached, as options of `startGateway`. */
export interface PublicAddress {
  readonly hostname?: string
  readonly publicUrl?: string
}

/** Reads `--host` and `--public-url`. Throws if one is invalid. */
export function publicAddress(options: Options): PublicAddress {
  const hostname = textOption(options, 'host')
  const publicUrl = textOption(options, 'public-url')
  return {
    ...(hostname === undefined ? {} : { hostname: checkedHost(hostname) }),
    ...(publicUrl === undefined ? {} : { publicUrl: checkedUrl(publicUrl) }),
  }
}

/** What `--host` takes. */
export const expectedHost =
  'expected an address of this machine without a port, such as 127.0.0.1, or 0.0.0.0 for all of them'

function checkedHost(host: string): string {
  if (isIP(host) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(host)) return host
  const hint = /^[^/]+:\d+$/.test(host) ? '. Give the port with --port' : ''
  throw new UsageError(`invalid --host "${host}": ${expectedHost}${hint}`)
}

function checkedUrl(text: string): string {
  const url = parsedUrl(text)
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (isOrigin) return url.origin
  // Not quoted: it may contain a password.
  throw new UsageError('invalid --public-url: expected only scheme and name, such as https://tools.example')
}

/** Warnings about a gateway that others can reach without TLS. */
export function exposureWarnings(
  { hostname = '127.0.0.1', publicUrl }: PublicAddress,
  url: string,
): readonly string[] {
  if (publicUrl?.startsWith('http:') === true && !isLoopbackHostname(new URL(publicUrl).hostname))
    return [
      `tokens and results travel unencrypted to ${publicUrl}. Use a proxy with TLS and --public-url https://…`,
    ]
  if (publicUrl !== undefined || isLoopbackHostname(isIP(hostname) === 6 ? `[${hostname}]` : hostname))
    return []
  return [
    `other machines can connect to ${hostname}, and the traffic is not encrypted. Put a proxy with TLS in front of ${url} and name it with --public-url https://…`,
  ]
}
