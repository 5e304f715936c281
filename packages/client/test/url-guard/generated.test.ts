import { BlockList } from 'node:net'
import { allowInsecureHttp, allowLoopback, assertSafeAuthUrl, McpSsrfError } from '@toolbridge/client/auth'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertSafeAddresses } from '../../src/url-guard/assert-safe-url.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'
import { anyCharacter } from '../support/any-character.ts'
import { anyWebUrl } from '../support/any-web-url.ts'

// The registries of special-purpose addresses, written down a second time and searched by Node's own code.
const blockedNetworks4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`
    .split(/\s+/)
    .map(parseNetwork)

const blockedNetworks6 = `::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1`
  .split(/\s+/)
  .map(parseNetwork)

// Two lists, since Node looks for an IPv4 address among the IPv6 networks too.
const blocked4 = new BlockList()
for (const { network, prefix } of blockedNetworks4) blocked4.addSubnet(network, prefix, 'ipv4')
const blocked6 = new BlockList()
for (const { network, prefix } of blockedNetworks6) blocked6.addSubnet(network, prefix, 'ipv6')

const anyIpv4 = fc.nat(0xffff_ffff)
const blockedIpv4 = fc.constantFrom(...blockedNetworks4).chain(({ network, prefix }) => {
  const size = 2 ** (32 - prefix)
  return fc.nat(size - 1).map((offset) => numberOf(network) + offset)
})

const anyIpv6 = fc.bigInt(0n, 2n ** 128n - 1n)
const blockedIpv6 = fc.constantFrom(...blockedNetworks6).chain(({ network, prefix }) =>
  fc
    .bigInt(0n, 2n ** BigInt(128 - prefix) - 1n)
    .map((offset) => bigOf(network) + offset)
    .filter((address) => !isTranslated(address)),
)

/** One way to write an address: how many parts, in which radix and with how many zeros, in which letters. */
const spelling4 = fc.record({
  parts: fc.integer({ min: 1, max: 4 }),
  radices: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
  zeros: fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }),
  hasLastDot: fc.boolean(),
})

const disguise = fc.array(fc.nat(5), { minLength: 1, maxLength: 24 })

const spelling6 = fc.record({
  isUpper: fc.boolean(),
  widths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
  isDotted: fc.boolean(),
  gap: fc.nat(8),
})

const wraps: readonly ((address: number) => bigint)[] = [
  (address) => BigInt(address),
  (address) => (0xffffn << 32n) | BigInt(address),
  (address) => (0xffffn << 48n) | BigInt(address),
  (address) => (0x64_ff9bn << 96n) | BigInt(address),
  (address) => (0x64_ff9b_0001n << 80n) | BigInt(address),
  (address) => (0x2002n << 112n) | (BigInt(address) << 80n) | 1n,
  (address) => (0x2001_0000n << 96n) | (0x4136_e378n << 64n) | (BigInt(address) ^ 0xffff_ffffn),
  (address) => (0x2001_0000n << 96n) | (BigInt(address) << 64n) | 0xf7f7_f7f7n,
  (address) => (0x2606_4700n << 96n) | (0x5efen << 32n) | BigInt(address),
  (address) => (0x2606_4700n << 96n) | (0x0200_5efen << 32n) | BigInt(address),
]

test(
  'no IPv4 address in a blocked range passes in any spelling [S4-116] [S1]',
  () => {
    const property = fc.property(blockedIpv4, spelling4, disguise, (address, spelling, letters) => {
      const url = `https://${disguised(spelled4(address, spelling), letters)}/`
      expect(new URL(url).hostname).toBe(dottedOf(address))
      expectRefused(url)
    })
    fc.assert(property, inputs(500))
  },
  GENERATED_TIMEOUT_MS,
)

test(
  'no IPv6 address in a blocked range passes in any spelling [S4-117] [d.6-15] [S1]',
  () => {
    const property = fc.property(blockedIpv6, spelling6, (address, spelling) => {
      expectRefused(`https://[${spelled6(address, spelling)}]/`)
      expect(isRefusedAddress(`${spelled6(address, spelling)}%eth0`)).toBe(true)
    })
    fc.assert(property, inputs(500))
  },
  GENERATED_TIMEOUT_MS,
)

test(
  'no IPv4 address in a blocked range passes inside an IPv6 address [S4-117] [d.6-15] [S1]',
  () => {
    const wrap = fc.constantFrom(...wraps)
    const property = fc.property(blockedIpv4, wrap, spelling6, (address, wrapped, spelling) => {
      expectRefused(`https://[${spelled6(wrapped(address), spelling)}]/`)
      expect(isRefusedAddress(spelled6(wrapped(address), spelling))).toBe(true)
    })
    fc.assert(property, inputs(500))
  },
  GENERATED_TIMEOUT_MS,
)

test(
  'an address of either kind is refused exactly if the registries say that it is not public',
  () => {
    const isatap = (address: bigint): boolean => ((address >> 32n) & 0xfdff_ffffn) === 0x5efen
    const property = fc.property(fc.oneof(anyIpv4, blockedIpv4), anyIpv6, (address4, address6) => {
      const dotted = dottedOf(address4)
      expect(isRefused(`https://${dotted}/`)).toBe(blocked4.check(dotted, 'ipv4'))
      fc.pre(!isTranslated(address6) && !isatap(address6))
      const groups = groupsOf(address6).join(':')
      expect(isRefused(`https://[${groups}]/`)).toBe(blocked6.check(groups, 'ipv6'))
    })
    fc.assert(property, inputs(500))
  },
  GENERATED_TIMEOUT_MS,
)

test(
  'whatever the text is, the guard either returns an address or says why not',
  () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      anyWebUrl,
      fc.string().map((host) => `https://${host}/`),
    )
    const options = { [allowLoopback]: true, [allowInsecureHttp]: true }
    const property = fc.property(text, (url) => {
      expect(typeof isRefused(url)).toBe('boolean')
      expect(typeof isRefused(url, options)).toBe('boolean')
    })
    fc.assert(property, inputs(500))
  },
  GENERATED_TIMEOUT_MS,
)

const somewhere = new URL('https://auth.example.com/')

// Not `expect`, which takes longer than the guard.
function expectRefused(url: string): void {
  if (!isRefused(url)) throw new Error(`not refused: ${url}`)
}

function isRefused(url: string, options = {}): boolean {
  return isRefusedBy(() => assertSafeAuthUrl(url, url, options))
}

function isRefusedAddress(address: string): boolean {
  return isRefusedBy(() => assertSafeAddresses(somewhere, [address]))
}

// Not `toThrow`, which reads the stack of thousands of errors.
function isRefusedBy(guard: () => unknown): boolean {
  try {
    guard()
    return false
  } catch (error) {
    if (error instanceof McpSsrfError) return true
    throw error
  }
}

function spelled4(
  address: number,
  {
    parts,
    radices,
    zeros,
    hasLastDot,
  }: { parts: number; radices: number[]; zeros: number[]; hasLastDot: boolean },
): string {
  const bytes = dottedOf(address).split('.').map(Number)
  const last = bytes.splice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
  const numbers = [...bytes, last].map((value, index) => {
    const radix = radices[index] ?? 10
    const digits = value.toString(radix)
    if (radix === 10) return digits
    return `${radix === 16 ? '0x' : '0'}${'0'.repeat(zeros[index] ?? 0)}${digits}`
  })
  return numbers.join('.') + (hasLastDot ? '.' : '')
}

/** Texts that are the same once normalised: full-width letters, other dots, escapes, capital letters. */
function disguised(text: string, letters: readonly number[]): string {
  const change = (character: string, index: number): string => {
    switch (letters[index % letters.length]) {
      case 0:
        return character === '.' ? '。' : String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
      case 1:
        return character === '.' ? '｡' : character.toUpperCase()
      case 2:
        return `%${(character.codePointAt(0) ?? 0).toString(16)}`
      case 3:
        return `${character}\u00ad`
      default:
        return character
    }
  }
  return text.split('').map(change).join('')
}

function spelled6(
  address: bigint,
  { isUpper, widths, isDotted, gap }: { isUpper: boolean; widths: number[]; isDotted: boolean; gap: number },
): string {
  const groups = groupsOf(address)
  const padded = groups.map((group, index) => group.padStart(widths[index] ?? 1, '0'))
  const ending = isDotted ? [dottedOf(Number(address & 0xffff_ffffn))] : padded.slice(6)
  const all = [...padded.slice(0, 6), ...ending]
  const length = groups.slice(gap, 6).findIndex((group) => group !== '0')
  const zeros = length === -1 ? Math.max(0, 6 - gap) : length
  const text =
    zeros === 0 ? all.join(':') : `${all.slice(0, gap).join(':')}::${all.slice(gap + zeros).join(':')}`
  return isUpper ? text.toUpperCase() : text
}

function groupsOf(address: bigint): string[] {
  return [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((index) => ((address >> (index * 16n)) & 0xffffn).toString(16))
}

function dottedOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
}

/** 64:ff9b::/96 is open for public IPv4 addresses. */
function isTranslated(address: bigint): boolean {
  return address >> 32n === 0x64_ff9bn << 64n
}

function parseNetwork(text: string): { readonly network: string; readonly prefix: number } {
  const [network = '', prefix] = text.split('/')
  return { network, prefix: Number(prefix) }
}

function numberOf(dotted: string): number {
  return dotted.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
}

/** The networks above end in `::` and have no other gap. */
function bigOf(network: string): bigint {
  const groups = network.split(':').filter((group) => group !== '')
  return groups.reduce((sum, group, index) => sum | (BigInt(`0x${group}`) << BigInt(112 - index * 16)), 0n)
}
