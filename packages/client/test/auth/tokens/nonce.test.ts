import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/auth/tokens/auth-context.ts'
import { requestTokens } from '../../../src/auth/tokens/auth-context.ts'
import { DpopProver } from '../../../src/auth/dpop/dpop-prover.ts'
import type { AuthRequest, AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import { clientCredentialsRequest } from '../../../src/auth/grants/machine-token-requests.ts'
import { memoryAuthProvider } from '../../../src/auth/stores/memory-auth-store.ts'
import { generateKeyPair, importSigningKey } from '../../../src/auth/crypto/signing-key.ts'
import { answer, authFailure, decodedJwt, formOf } from '../fixtures/requests.ts'
import { rfc8037Ed25519Key } from '../fixtures/rfc-keys.ts'

const refusal: AuthResponse = {
  ...answer({ error: 'use_dpop_nonce' }, { status: 400 }),
  headers: { 'content-type': 'application/json', 'dpop-nonce': 'n1' },
}

async function requested(
  answers: readonly AuthResponse[],
): Promise<{ readonly sent: readonly AuthRequest[]; readonly outcome: () => unknown }> {
  const sent: AuthRequest[] = []
  const parts: AuthContext = {
    serverUrl: 'https://h.example/mcp',
    principal: 'p',
    provider: memoryAuthProvider({ clientMetadata: {}, redirectToAuthorization: () => undefined }),
    send: async (request) => {
      sent.push(request)
      return answers[sent.length - 1] ?? answer('', { status: 500 })
    },
    security: {},
    proofs: new DpopProver(),
    now: () => 0,
  }
  const key = await importSigningKey(rfc8037Ed25519Key)
  const target = {
    tokenEndpoint: 'https://as.example/token',
    authentication: { method: 'private_key_jwt', clientId: 'c', key, audience: 'https://as.example' },
  } as const
  const wish = { dpopKey: await generateKeyPair('ES256') }
  const settled = await requestTokens(parts, () => clientCredentialsRequest(target), wish).then(
    (tokens) => () => tokens,
    (error: unknown) => () => {
      throw error
    },
  )
  return { sent, outcome: settled }
}

test('a request that is sent again for a nonce proves again who the client is and that it has the key', async () => {
  const { sent, outcome } = await requested([
    refusal,
    answer({ access_token: canary('access'), token_type: 'DPoP' }),
  ])
  expect(outcome()).toMatchObject({ access_token: canary('access'), token_type: 'DPoP' })
  expect(sent).toHaveLength(2)
  const assertions = sent.map(
    (request) => decodedJwt(formOf(request)['client_assertion'] ?? '').claims['jti'],
  )
  const proofs = sent.map((request) => decodedJwt(request.headers['dpop'] ?? '').claims)
  expect(new Set(assertions).size).toBe(2)
  expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(2)
  expect(proofs.map(({ nonce }) => nonce)).toEqual([undefined, 'n1'])
})

test('a second wish for a nonce is an error, and so is one that brings none', async () => {
  const twice = await requested([refusal, refusal])
  expect(twice.sent).toHaveLength(2)
  expect(await authFailure(twice.outcome)).toMatchObject({ code: 'use_dpop_nonce', stage: 'token' })
  const without = await requested([answer({ error: 'use_dpop_nonce' }, { status: 400 })])
  expect(without.sent).toHaveLength(1)
  expect(await authFailure(without.outcome)).toMatchObject({ code: 'use_dpop_nonce' })
})
