import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A certificate with its key, both in PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

export interface Authority extends Identity {
  /** Makes a certificate for a name or address of this machine. */
  issue(name: string): Identity
}

/** A certificate authority of its own for one test, made without any tool: its certificates are built byte by byte. */
export function createAuthority(): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const subject = 'Authority of a test'
  const own = { subject, issuer: subject, publicKey: keys.publicKey, signWith: keys.privateKey }
  return {
    cert: certificate({ ...own, extensions: [extension(BASIC_CONSTRAINTS, sequence(bool(true)))] }),
    key: pem(keys.privateKey),
    issue(name) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      const extensions = [extension(SUBJECT_ALT_NAME, sequence(generalName(name)))]
      const cert = certificate({ ...own, subject: name, publicKey, extensions })
      return { cert, key: pem(privateKey) }
    },
  }
}

const COMMON_NAME = [0x55, 0x04, 0x03]
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11]
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13]
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]

interface Contents {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signWith: KeyObject
  readonly extensions: readonly Buffer[]
}

/** RFC 5280, section 4.1. */
function certificate({ subject, issuer, publicKey, signWith, extensions }: Contents): string {
  const algorithm = sequence(der(0x06, ECDSA_WITH_SHA256))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [0x01, ...randomBytes(8)]),
    algorithm,
    distinguishedName(issuer),
    sequence(time(-3_600_000), time(86_400_000)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, [0, ...sign('sha256', toBeSigned, signWith)])
  const lines =
    sequence(toBeSigned, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(name)))))
}

function extension(id: readonly number[], value: Buffer): Buffer {
  return sequence(der(0x06, id), der(0x04, value))
}

function generalName(name: string): Buffer {
  const isAddress = /^[\d.]+$/.test(name)
  return isAddress ? der(0x87, name.split('.').map(Number)) : der(0x82, Buffer.from(name))
}

function time(offsetMs: number): Buffer {
  const text = new Date(Date.now() + offsetMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

function bool(value: boolean): Buffer {
  return der(0x01, [value ? 0xff : 0])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, contents: Iterable<number>): Buffer {
  const body = Buffer.from([...contents])
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
