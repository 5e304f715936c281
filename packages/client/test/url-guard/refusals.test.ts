import { allowLoopback, assertSafeAuthUrl, McpSsrfError } from '@toolbridge/client/auth'
import { describe, expect, test } from 'vitest'
import { assertSafeAddresses, assertSafeUrl } from '../../src/url-guard/assert-safe-url.ts'
import { blockedAddress } from '../../src/url-guard/blocked-hostname.ts'
import { parseIpv6 } from '../../src/url-guard/ipv6.ts'

const tell = 'ask the operator of the server to publish a public address'

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test.each([
  ['https://0.0.0.0/', `it is an unspecified address; ${tell}`],
  ['https://127.0.0.1/', `it is this machine; ${tell}, or allow it with [allowLoopback] for development`],
  ['https://10.0.0.1/', `it is in a private network; ${tell}, or allow it with [allowLoopback]`],
  [
    'https://100.64.0.1/',
    `it is inside a provider's or overlay network (100.64.0.0/10); ${tell}, or allow it with [allowLoopback]`,
  ],
  ['https://169.254.1.1/', `it is a link-local address; ${tell}`],
  ['https://169.254.169.254/', `it is the metadata service of a cloud; ${tell}`],
  ['https://224.0.0.1/', `it is a multicast address; ${tell}`],
  ['https://255.255.255.255/', `it is the broadcast address; ${tell}`],
  ['https://192.0.2.1/', `it is an address for documentation; ${tell}`],
  ['https://198.18.0.1/', `it is an address for benchmarks; ${tell}`],
  ['https://[100::1]/', `it is an address that discards everything; ${tell}`],
  ['https://240.0.0.1/', `it is a reserved address; ${tell}`],
  ['https://[::ffff:808:808]/', `it is an IPv4 address inside an IPv6 address; ${tell}`],
  ['https://a_-.example/', 'its host is not a valid hostname; correct it'],
  ['https://user@auth.example/', 'it contains a user name or password; remove them'],
  [
    'http://auth.example/',
    'it is not encrypted; use https, or allow it with [allowInsecureHttp] for development',
  ],
  ['https://db/', `its name only resolves inside a network; ${tell}, or allow it with [allowLoopback]`],
])('the refusal of %s names the host, the reason and a way out', (url, explanation) => {
  const { protocol, host } = new URL(url)
  const error = thrownBy(() => assertSafeUrl(url))
  expect(error).toBeInstanceOf(McpSsrfError)
  expect(error).toMatchObject({
    name: 'McpSsrfError',
    message: `${protocol}//${host} was refused: ${explanation}`,
    url: `${protocol}//${host}/`,
    kind: 'unreachable',
    code: -32000,
  })
  expect(error instanceof McpSsrfError && error.data).toEqual({
    effect: 'none',
    reason: error instanceof McpSsrfError ? error.reason : '',
  })
})

test('the refusal of a URL without a host names its scheme only', () => {
  expect(thrownBy(() => assertSafeUrl('data:secret'))).toMatchObject({
    message: 'a URL of scheme data: was refused: only https URLs are allowed; correct it',
    url: 'data:',
  })
  expect(thrownBy(() => assertSafeUrl('no address'))).toMatchObject({
    message:
      'a URL was refused: it is not an absolute URL, or contains characters that URL parsers treat differently; correct it',
    url: '',
  })
})

test('the refusal of a host beside the issuer says what to add', () => {
  expect(thrownBy(() => assertSafeAuthUrl('https://b.example/', 'https://a.example/'))).toMatchObject({
    message:
      'https://b.example was refused: its hostname is not that of the issuer; if it is correct, add it to allowedHosts',
  })
  expect(
    thrownBy(() => assertSafeAuthUrl('https://b.example/', 'https://a.example/', { allowedHosts: ['a/b'] })),
  ).toEqual(new TypeError('allowedHosts takes hostnames such as auth.example.com, not "a/b"'))
})

test('a URL that was parsed before is checked and returned as it is', () => {
  const url = new URL('https://auth.example/')
  expect(assertSafeUrl(url)).toBe(url)
  expect(() => assertSafeUrl(new URL('https://127.0.0.1/'))).toThrow(McpSsrfError)
})

describe('of the addresses that a name resolves to', () => {
  const url = new URL('https://auth.example/token')

  test('all must be public', () => {
    expect(() => assertSafeAddresses(url, ['8.8.8.8', '2606:4700::1111'])).not.toThrow()
    expect(() => assertSafeAddresses(url, [])).not.toThrow()
    const error = thrownBy(() => assertSafeAddresses(url, ['8.8.8.8', '10.0.0.1']))
    expect(error).toMatchObject({ reason: 'private', url: 'https://auth.example/token' })
    expect(() => assertSafeAddresses(url, ['no address'])).toThrow(McpSsrfError)
  })

  test('private ones pass where they are allowed', () => {
    const open = { [allowLoopback]: true }
    expect(() => assertSafeAddresses(url, ['127.0.0.1', '10.0.0.1', '100.64.0.1'], open)).not.toThrow()
    expect(() => assertSafeAddresses(url, ['169.254.169.254'], open)).toThrow(McpSsrfError)
  })
})

test.each([
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['1::', [1, 0, 0, 0, 0, 0, 0, 0]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['1:2:3::6:7:8', [1, 2, 3, 0, 0, 6, 7, 8]],
  ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
  ['::FFFF:abcd', [0, 0, 0, 0, 0, 0, 0xffff, 0xabcd]],
  ['::1.2.3.4', [0, 0, 0, 0, 0, 0, 0x102, 0x304]],
  ['1:2:3:4:5:6:255.255.255.255', [1, 2, 3, 4, 5, 6, 0xffff, 0xffff]],
  ['fe80::1%eth0', [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
  ['fe80::1%a\nb', [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
  ['', undefined],
  [':', undefined],
  ['1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['1:2:3:4::5:6:7:8', undefined],
  ['1::2::3', undefined],
  ['12345::', undefined],
  ['g::', undefined],
  ['::1.2.3', undefined],
  ['::1.2.3.256', undefined],
  ['::1.2.3.4.5', undefined],
  ['::01.2.3.4x', undefined],
  ['1.2.3.4', undefined],
  ['::0x1.2.3.4', undefined],
  ['1.2.3.4::', undefined],
])('the IPv6 address %j is read as %j', (text, groups) => {
  expect(parseIpv6(text)).toEqual(groups)
})

test.each([
  ['8.8.8.8', undefined],
  ['2606:4700::1', undefined],
  ['no address', 'reserved'],
  ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['2000::', undefined],
  ['3ffe::', undefined],
  ['3fff:0fff::', 'documentation'],
  ['3fff:1000::', undefined],
  ['4000::', 'reserved'],
  ['100:0:0:1::', 'reserved'],
  ['64:ff9b::8.8.8.8', undefined],
  ['64:ff9b:0:1::8.8.8.8', 'reserved'],
  ['64:ff9b:1::8.8.8.8', 'embedded_ipv4'],
  ['2001::f7f7:f7f7', 'unspecified'],
  ['2001:0:808:808::f7f7:f7f7', 'embedded_ipv4'],
  ['2001:0:a00:1::f7f7:f7f7', 'private'],
  ['2001:2::', 'benchmarking'],
  ['2001:2:1::', 'reserved'],
  ['2001:1ff:ffff::', 'reserved'],
  ['2001:200::', undefined],
  ['2001:db8:ffff::', 'documentation'],
  ['2002:808:808::', 'embedded_ipv4'],
  ['2606:4700::5efe:a00:1', 'private'],
  ['2606:4700::200:5efe:a00:1', 'private'],
  ['2606:4700::100:5efe:a00:1', undefined],
  ['2606:4700::5eff:a00:1', undefined],
  ['fbff::', 'reserved'],
  ['fc00::', 'private'],
  ['fe00::', 'reserved'],
  ['fe7f::', 'reserved'],
  ['fe80::', 'link_local'],
  ['febf::', 'link_local'],
  ['fec0::', 'private'],
  ['feff::', 'private'],
  ['ff00::', 'multicast'],
  ['fd00:ec2::254', 'metadata_service'],
  ['fd00:ec2::255', 'private'],
  ['::2', 'unspecified'],
  ['::8.8.8.8', 'embedded_ipv4'],
  ['::fffe:8.8.8.8', 'reserved'],
])('the address %s is blocked as %s', (address, range) => {
  expect(blockedAddress(address)).toBe(range)
})
