import { parseCanonicalIpv4 } from '../../src/url-guard/ipv4.ts'
import {
  allowInsecureHttp,
  allowLoopback,
  assertSafeAuthUrl,
  McpSsrfError,
  type SsrfReason,
  type UrlGuardOptions,
} from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { hostileUrls, unreadableUrls } from './hostile-urls.ts'
import { legitimateUrls } from './legitimate-urls.ts'

const issuer = 'https://auth.example.com/tenant'

const hostile = Object.entries(hostileUrls).flatMap(([reason, urls]) =>
  urls
    .trim()
    .split(/\s+/)
    .map((url) => ({ url, reason })),
)

test('the table holds at least three hundred hostile addresses and sixty legitimate ones', () => {
  expect(new Set([...hostile.map(({ url }) => url), ...unreadableUrls]).size).toBeGreaterThanOrEqual(300)
  expect(new Set(legitimateUrls).size).toBeGreaterThanOrEqual(60)
})

test.for(hostile)('$url is refused: $reason [S4-112] [d.6-15] [S1]', ({ url, reason }) => {
  expect(reasonOf(url)).toBe(reason)
})

test.for(unreadableUrls.map((url) => [JSON.stringify(url), url] as const))('%s is no address', ([, url]) => {
  expect(reasonOf(url)).toBe('invalid_url')
})

test.for(legitimateUrls)('%s is accepted as the issuer itself [S1]', (url) => {
  expect(reasonOf(url, {}, url)).toBeUndefined()
})

test('a host beside the issuer is accepted only if it is named whole [S4-113] [S4-139]', () => {
  const allowedHosts = ['Login.Example.com.', 'api.example.com']
  expect(reasonOf('https://login.example.com/token', { allowedHosts })).toBeUndefined()
  expect(reasonOf('https://api.example.com:8443/token', { allowedHosts })).toBeUndefined()
  expect(reasonOf('https://x.api.example.com/', { allowedHosts })).toBe('host_not_allowed')
  expect(reasonOf('https://example.com/', { allowedHosts })).toBe('host_not_allowed')
})

test('a host is named as people write it, and what is no host is said', () => {
  expect(
    reasonOf('https://xn--mnchen-3ya.example.com/', { allowedHosts: ['München.example.com'] }),
  ).toBeUndefined()
  for (const entry of [
    'https://login.example.com',
    'login.example.com/x',
    'login.example.com:8443',
    'a@b',
    '::1',
    '',
  ]) {
    expect(() => assertSafeAuthUrl('https://login.example.com/', issuer, { allowedHosts: [entry] })).toThrow(
      TypeError,
    )
  }
})

test('a host that is named is still refused if it is private', () => {
  expect(reasonOf('https://10.0.0.1/', { allowedHosts: ['10.0.0.1'] })).toBe('private')
  expect(reasonOf('https://localhost/', { allowedHosts: ['localhost'] }, 'https://localhost/')).toBe(
    'loopback',
  )
})

test('http passes only where it is allowed by exactly true [S4-111]', () => {
  const url = 'http://auth.example.com/'
  expect(reasonOf(url, { [allowInsecureHttp]: true })).toBeUndefined()
  expect(reasonOf(url, { [allowInsecureHttp]: false })).toBe('insecure_http')
  expect(reasonOf(url, { [allowInsecureHttp]: 'yes' } as unknown as UrlGuardOptions)).toBe('insecure_http')
})

test('this machine and private networks pass where they are allowed, for any issuer [S4-112] [S4-114]', () => {
  const open = { [allowLoopback]: true }
  for (const url of [
    'https://localhost:3000/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
  ]) {
    expect(reasonOf(url, open)).toBeUndefined()
  }
  for (const url of ['https://100.64.0.1/', 'https://[fd00::1]/', 'https://vault.internal/', 'https://db/']) {
    expect(reasonOf(url, open)).toBeUndefined()
  }
  expect(reasonOf('http://localhost:3000/', open)).toBe('insecure_http')
  expect(reasonOf('https://evil.example.net/', open)).toBe('host_not_allowed')
  expect(reasonOf('https://localhost/', { [allowLoopback]: 1 } as unknown as UrlGuardOptions)).toBe(
    'loopback',
  )
})

const neverOpened = [
  'link_local',
  'metadata_service',
  'multicast',
  'unspecified',
  'reserved',
  'broadcast',
] as const

test.for(neverOpened)('%s stays closed when this machine is allowed', (reason) => {
  const urls = hostileUrls[reason].trim().split(/\s+/)
  const reasons = urls.map((url) => reasonOf(url, { [allowLoopback]: true, [allowInsecureHttp]: true }))
  expect(new Set(reasons)).toEqual(new Set([reason]))
})

test('a configuration file cannot open anything', () => {
  const fromJson: UrlGuardOptions = JSON.parse('{"allowLoopback":true,"allowInsecureHttp":true}')
  expect(reasonOf('http://localhost/', fromJson)).toBe('loopback')
  expect(reasonOf('http://auth.example.com/', fromJson)).toBe('insecure_http')
})

test('the error names the address without what may be secret in it [S4-118]', () => {
  const url = `https://user:${canary('password')}@10.0.0.1/path?code=${canary('password')}#${canary('password')}`
  const error = refusalOf(url)
  expect(error).toMatchObject({ name: 'McpSsrfError', kind: 'unreachable', reason: 'userinfo' })
  expect(error?.url).toBe('https://10.0.0.1/path')
  expect(JSON.stringify([error, error?.message, error?.stack, error?.data])).not.toContain(canary('password'))
  expect(refusalOf(`\\${canary('password')}`)?.url).toBe('')
  expect(refusalOf(`javascript:${canary('password')}`)?.url).toBe('javascript:')
})

test('an address is returned as it was understood', () => {
  expect(assertSafeAuthUrl('https://AUTH.example.com:443/a/../token', issuer).href).toBe(
    'https://auth.example.com/token',
  )
})

const numerals = [
  ['127.0.0.1', [127, 0, 0, 1]],
  ['127.1', [127, 0, 0, 1]],
  ['1.2.3', [1, 2, 0, 3]],
  ['1.2.772', [1, 2, 3, 4]],
  ['0x7f.1', [127, 0, 0, 1]],
  ['0177.0.0.01', [127, 0, 0, 1]],
  ['4294967295', [255, 255, 255, 255]],
  ['0xFFFFFFFF', [255, 255, 255, 255]],
  ['037777777777', [255, 255, 255, 255]],
  ['0', [0, 0, 0, 0]],
  ['0x', [0, 0, 0, 0]],
  ['10.0.0.1.', [10, 0, 0, 1]],
  ['1.16777215', [1, 255, 255, 255]],
  ['1.16777216', undefined],
  ['1.2.65536', undefined],
  ['1.2.3.256', undefined],
  ['4294967296', undefined],
  ['256.1', undefined],
  ['1.2.3.4.5', undefined],
  ['08.1', undefined],
  ['0x1g', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1..2', undefined],
  ['', undefined],
  ['.', undefined],
  [' 1.2.3.4', undefined],
  ['1.2.3.4..', undefined],
  ['example.com', undefined],
] as const

test.for(numerals)('%s is read as inet_aton reads it [S4-115]', ([text, bytes]) => {
  expect(parseCanonicalIpv4(text)).toEqual(bytes)
})

function reasonOf(url: string, options: UrlGuardOptions = {}, issuerUrl = issuer): SsrfReason | undefined {
  return refusalOf(url, options, issuerUrl)?.reason
}

function refusalOf(url: string, options: UrlGuardOptions = {}, issuerUrl = issuer): McpSsrfError | undefined {
  try {
    assertSafeAuthUrl(url, issuerUrl, options)
    return undefined
  } catch (error) {
    if (error instanceof McpSsrfError) return error
    throw error
  }
}

test('another port of the issuer is another host', () => {
  const issuer = 'https://auth.example.com'
  expect(() => assertSafeAuthUrl('https://auth.example.com:8443/token', issuer)).toThrow(McpSsrfError)
  expect(assertSafeAuthUrl('https://auth.example.com:443/token', issuer).pathname).toBe('/token')
})
