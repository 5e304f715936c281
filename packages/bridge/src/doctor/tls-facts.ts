import { connect, type TLSSocket } from 'node:tls'
import { fine, warning } from './findings.ts'
import type { Finding } from './result.ts'

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']

const timeoutMs = 5_000

const twoWeeksMs = 14 * 24 * 3_600_000

/** How a server that answers is connected: in clear, or by TLS with its version and certificate. */
export async function secureConnection(url: string, signal: AbortSignal | undefined): Promise<Finding> {
  const { protocol, hostname, port, origin } = new URL(url)
  if (protocol === 'http:' || protocol === 'ws:')
    return fine(`connected to ${origin} in clear`, { tls: null })
  // A proxy makes its own connection.
  const isDirect = proxyVariables.every((name) => (process.env[name] ?? '') === '')
  const socket = isDirect ? await open(hostname, Number(port || 443), signal) : undefined
  if (socket === undefined) return fine(`connected to ${origin}`)
  try {
    return described(socket, origin)
  } finally {
    socket.destroy()
  }
}

function described(socket: TLSSocket, origin: string): Finding {
  const version = socket.getProtocol() ?? 'unknown'
  const { issuer, valid_to: validTo } = socket.getPeerCertificate()
  const authority = [issuer.O ?? issuer.CN ?? 'unknown'].flat().join(', ')
  const facts = { tls: { version, cipher: socket.getCipher().name, authority, validTo } }
  const leftMs = Date.parse(validTo) - Date.now()
  if (leftMs < twoWeeksMs) {
    const seen = `the certificate of ${origin} expires on ${validTo}`
    return warning('tls_expiring', seen, 'ask its operator to renew the certificate', { facts })
  }
  return fine(`connected to ${origin} by ${version}; its certificate is signed by ${authority}`, facts)
}

function open(
  hostname: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<TLSSocket | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(/[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {}),
    })
    const end = (): void => {
      socket.destroy()
      resolve(undefined)
    }
    socket.setTimeout(timeoutMs, end)
    socket.once('error', end)
    socket.once('secureConnect', () => resolve(socket))
    signal?.addEventListener('abort', end, { once: true })
  })
}
