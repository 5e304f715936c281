import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { parsedUrl } from '../text/parsed-url.ts'
import { blockedHostname } from '../url-guard/blocked-hostname.ts'
import { PROXY_VARIABLES } from './connection-options.ts'
import { withoutBrackets } from './connector.ts'

/** A proxy between this process and a server. */
export interface Proxy {
  readonly hostname: string
  readonly port: number
  /** Whether the connection to the proxy itself is encrypted. */
  readonly isSecure: boolean
  /** Value of `proxy-authorization`, from the user and password in the URL of the proxy. It is a secret. */
  readonly authorization: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** The proxy for a URL: the configured one, or that of the environment. Throws a `TypeError` for an invalid one. */
export function proxyFor(
  url: URL,
  setting: string | false | undefined,
  environment: Environment = process.env,
): Proxy | undefined {
  if (setting === false) return undefined
  if (setting !== undefined) return parseProxy(setting, 'the proxy')
  const [name, value] = fromEnvironment(url.protocol, environment)
  if (value === '' || isLoopback(url) || isExempt(url, environment)) return undefined
  return parseProxy(value, name)
}

/** In a CGI program, HTTP_PROXY may come from the request header `Proxy`, so it is ignored there. */
function fromEnvironment(protocol: string, environment: Environment): readonly [name: string, value: string] {
  const isCgi = environment['REQUEST_METHOD'] !== undefined
  const names = PROXY_VARIABLES[protocol === 'https:' ? 'https:' : 'http:']
  const usable = isCgi ? names.filter((name) => name !== 'HTTP_PROXY') : names
  const name = usable.find((each) => (environment[each] ?? '') !== '') ?? ''
  return [name, environment[name] ?? '']
}

function isLoopback(url: URL): boolean {
  return blockedHostname(url.hostname) === 'loopback'
}

function isExempt(url: URL, environment: Environment): boolean {
  const list = environment['no_proxy'] ?? environment['NO_PROXY'] ?? ''
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.some((entry) => entry === '*' || isMatch(url, entry.toLowerCase()))
}

/** An entry is a domain (which includes its subdomains), an IP address or a CIDR block; a name may have a port. */
function isMatch(url: URL, entry: string): boolean {
  const [, host = entry, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? []
  if (port !== undefined && port !== portOf(url)) return false
  const hostname = withoutBrackets(url.hostname).replace(/\.$/, '')
  const name = withoutBrackets(host).replace(/^\*?\./, '')
  return hostname === name || hostname.endsWith(`.${name}`) || isInBlock(hostname, name)
}

function isInBlock(address: string, block: string): boolean {
  const [network = '', bits = ''] = block.split('/')
  const { BlockList, isIP } = nodeBuiltin('node:net')
  const family = isIP(network)
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 6 ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function parseProxy(text: string, name: string): Proxy {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = parsedUrl(address)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${name} is not an http or https address; correct it, or set \`proxy: false\``)
  }
  return {
    hostname: withoutBrackets(url.hostname),
    port: Number(portOf(url)),
    isSecure: url.protocol === 'https:',
    authorization: authorizationOf(url),
  }
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const bytes = Buffer.from(`${decoded(username)}:${decoded(password)}`)
  return `Basic ${bytes.toString('base64')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port
  return protocol === 'https:' ? '443' : '80'
}
