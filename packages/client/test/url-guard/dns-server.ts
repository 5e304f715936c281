import type { ResolveHost } from '../../src/network/connection-options.ts'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

export interface DnsServer {
  /** Asks this server for all addresses of a name, A and AAAA, as a resolver on the network would. */
  readonly resolveHost: ResolveHost
  /** The questions in order, such as `A auth.example.com`. */
  readonly questions: readonly string[]
  close(): Promise<void>
}

const A = 1
const AAAA = 28

/** A name server on a free port of this machine; `answer` says which addresses a name has each time it is asked. */
export async function startDnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => readonly string[],
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = questionIn(query)
    questions.push(`${type} ${name}`)
    socket.send(replyTo(query.subarray(0, end), answer(name, type)), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolveHost: async (name) => {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    },
    questions,
    async close() {
      resolver.cancel()
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionIn(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + size).toString())
    at += 1 + size
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) === AAAA ? 'AAAA' : 'A', end: at + 5 }
}

/** RFC 1035, section 4.1: the question again, and each address with a pointer to the name in it; kept for no time. */
function replyTo(query: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query)
  header.writeUInt16BE(0x8580, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt16BE(0, 10)
  return Buffer.concat([header, ...addresses.map(recordOf)])
}

function recordOf(address: string): Buffer {
  const bytes = address.includes(':') ? bytesOfIpv6(address) : address.split('.').map(Number)
  const type = bytes.length === 16 ? AAAA : A
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
}

/** Reads what `URL` writes. */
function bytesOfIpv6(address: string): number[] {
  const [head = '', tail = ''] = address.split('::')
  const before = head.split(':').filter((group) => group !== '')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}
