import type { AuthKey, AuthStore, PendingFlow, TokenRecord } from '@toolbridge/client/auth'
import { describe, expect, test } from 'vitest'
import { canary } from '../secrets/index.ts'

const key: AuthKey = { issuer: 'https://as.example', resource: 'https://mcp.example/mcp', principal: 'ada' }

function record(version: number, name = 'a'): TokenRecord {
  return {
    version,
    generation: version,
    obtainedAtMs: 5,
    state: { kind: 'held', tokens: { access_token: canary(name), token_type: 'Bearer' } },
  }
}

function flow(state: string, startedAtMs: number): PendingFlow {
  return {
    state,
    codeVerifier: 'verifier',
    issuer: 'https://as.example',
    issuerIsPromised: true,
    tokenEndpoint: 'https://as.example/token',
    redirectUri: 'http://127.0.0.1/callback',
    resource: 'https://mcp.example/mcp',
    clientId: 'client-1',
    clientAuthentication: 'none',
    principal: 'ada',
    serverUrl: 'https://mcp.example/mcp',
    startedAtMs,
  }
}

/** The contract of every `AuthStore`. `open` creates an empty one whose time is that of `clock`. */
export function describeAuthStore(
  kind: string,
  clock: { ms: number },
  open: () => AuthStore | Promise<AuthStore>,
): void {
  describe(`a store ${kind}`, () => authStoreTests(clock, open))
}

function authStoreTests(clock: { ms: number }, open: () => AuthStore | Promise<AuthStore>): void {
  test('gives back what was written, also what a later version added', async () => {
    const store = await open()
    const full: TokenRecord = {
      ...record(1),
      dpopKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' },
      state: {
        kind: 'refreshing',
        tokens: {
          access_token: canary('a'),
          token_type: 'DPoP',
          expiresAtMs: 7,
          refresh_token: canary('r'),
          scope: 's',
        },
        intent: { generation: 1, nonce: 'n', atMs: 6, holder: 'process 1' },
      },
    }
    expect(await store.tokens(key)).toBeUndefined()
    expect(await store.saveTokens(key, full, undefined)).toBe(true)
    expect(await store.tokens(key)).toEqual(full)
    const dropped: TokenRecord = { ...record(2), state: { kind: 'dropped', reason: 'revoked' } }
    expect(await store.saveTokens(key, dropped, 1)).toBe(true)
    expect(await store.tokens(key)).toEqual(dropped)
  })

  test('keeps the tokens of every issuer, resource and principal apart', async () => {
    const store = await open()
    const others: readonly AuthKey[] = [
      { ...key, principal: 'bob' },
      { ...key, issuer: 'https://as.example/' },
      { ...key, resource: 'https://mcp.example/MCP' },
    ]
    await store.saveTokens(key, record(1), undefined)
    for (const other of others) expect(await store.tokens(other)).toBeUndefined()
  })

  test('writes only on top of the version that was expected', async () => {
    const store = await open()
    expect(await store.saveTokens(key, record(2), 1)).toBe(false)
    expect(await store.saveTokens(key, record(1), undefined)).toBe(true)
    expect(await store.saveTokens(key, record(1, 'b'), undefined)).toBe(false)
    expect(await store.saveTokens(key, record(2), 1)).toBe(true)
    expect(await store.saveTokens(key, record(2, 'b'), 1)).toBe(false)
    expect(await store.tokens(key)).toEqual(record(2))
  })

  test('lets one of many writers win each version', async () => {
    const store = await open()
    for (let version = 1; version <= 10; version++) {
      const expected = version === 1 ? undefined : version - 1
      const writers = Array.from({ length: 8 }, (__, writer) => record(version, `writer-${writer}`))
      const won = await Promise.all(writers.map((each) => store.saveTokens(key, each, expected)))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await store.tokens(key)).toEqual(writers[won.indexOf(true)])
    }
  })

  test('leases to one at a time, in order, also after somebody failed or gave up', async () => {
    const store = await open()
    const steps: string[] = []
    const step = (name: string): Promise<void> =>
      store.lease(key, async () => {
        steps.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        steps.push(`${name} ends`)
      })
    const failing = store.lease(key, () => Promise.reject(new Error('failed')))
    const impatient = store.lease(key, () => Promise.resolve(steps.push('never')), {
      signal: AbortSignal.abort('enough'),
    })
    await Promise.allSettled([failing, impatient, step('first'), step('second')])
    await expect(failing).rejects.toThrow('failed')
    await expect(impatient).rejects.toBe('enough')
    expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  test('leases of different tokens do not wait for each other', async () => {
    const store = await open()
    await store.lease(key, () => store.lease({ ...key, principal: 'bob' }, () => Promise.resolve()))
  })

  test('hands a flow out once, and not after an hour', async () => {
    const store = await open()
    const [first, second] = [flow('state-1', clock.ms), flow('state-2', clock.ms)]
    await store.saveFlow(first)
    await store.saveFlow(second)
    expect(await Promise.all([store.takeFlow('state-1'), store.takeFlow('state-1')])).toContainEqual(first)
    expect(await store.takeFlow('state-1')).toBeUndefined()
    clock.ms += 3_600_000
    expect(await store.takeFlow('state-2')).toBeUndefined()
    expect(await store.takeFlow('unknown')).toBeUndefined()
  })

  test('keeps clients per issuer and what is known of servers per principal, and forgets them', async () => {
    const store = await open()
    await store.saveClientInformation?.('https://as.example', {
      client_id: 'c',
      redirect_uris: ['http://127.0.0.1/'],
    })
    expect(await store.clientInformation('https://as.example')).toEqual({
      client_id: 'c',
      redirect_uris: ['http://127.0.0.1/'],
    })
    expect(await store.clientInformation('https://other.example')).toBeUndefined()
    await store.saveClientInformation?.('https://as.example', undefined)
    expect(await store.clientInformation('https://as.example')).toBeUndefined()
    const known = { issuer: 'https://as.example', resource: 'https://mcp.example/mcp', requestedScope: 'a b' }
    await store.saveKnownServer('https://mcp.example/mcp', 'ada', known)
    expect(await store.knownServer('https://mcp.example/mcp', 'ada')).toEqual(known)
    expect(await store.knownServer('https://mcp.example/mcp', 'bob')).toBeUndefined()
    await store.saveKnownServer('https://mcp.example/mcp', 'ada', undefined)
    expect(await store.knownServer('https://mcp.example/mcp', 'ada')).toBeUndefined()
  })
}
