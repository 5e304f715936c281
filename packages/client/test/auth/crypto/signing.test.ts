import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { base64, base64url } from '../../../src/auth/crypto/base64url.ts'
import type { JsonWebKey } from '../../../src/auth/messages/oauth-documents.ts'
import {
  createDpopKey,
  dpopNonceOf,
  dpopProof,
  importDpopKey,
  jwkThumbprint,
  withDpopProof,
} from '../../../src/auth/dpop/dpop-proof.ts'
import { signJwt } from '../../../src/auth/crypto/jwt.ts'
import { importSigningKey, type JwsAlgorithm } from '../../../src/auth/crypto/signing-key.ts'
import { allTextOf, authFailure, decodedJwt } from '../fixtures/requests.ts'
import { rfc7515RsaKey, rfc7638PublicKey, rfc8037Ed25519Key, rfc9449PublicKey } from '../fixtures/rfc-keys.ts'

async function signatureOf(key: JsonWebKey, text: string): Promise<string> {
  const signing = await importSigningKey(key)
  return base64url(await signing.sign(new TextEncoder().encode(text)))
}

describe('signatures are those of the specifications', () => {
  test('RS256 of RFC 7515 appendix A.2', async () => {
    const signed =
      'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
    expect(await signatureOf(rfc7515RsaKey, signed)).toBe(
      'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
    )
  })

  test('EdDSA of RFC 8037 appendix A.4', async () => {
    const signed = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'
    expect(await signatureOf(rfc8037Ed25519Key, signed)).toBe(
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    )
  })

  test('thumbprints of RFC 7638 section 3.1, RFC 8037 appendix A.3 and RFC 9449 section 6.1', async () => {
    expect(await jwkThumbprint(rfc7638PublicKey)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
    expect(await jwkThumbprint(rfc8037Ed25519Key)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
    expect(await jwkThumbprint(rfc9449PublicKey)).toBe('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I')
  })
})

test('base64 is that of RFC 4648 section 10 and its variant for URLs', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  expect(['', 'f', 'fo', 'foo', 'foob'].map((text) => base64(bytes(text)))).toEqual([
    '',
    'Zg==',
    'Zm8=',
    'Zm9v',
    'Zm9vYg==',
  ])
  expect(base64url(Uint8Array.of(251, 255, 191))).toBe('-_-_')
  expect(base64url(Uint8Array.of(3, 236, 255, 224, 193))).toBe('A-z_4ME')
})

function freshPair(algorithm: JwsAlgorithm): {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
} {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case 'ES384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' })
    case 'EdDSA':
      return generateKeyPairSync('ed25519')
    case 'RS256':
    case 'PS256':
      return rsaPair()
  }
}

/** Of the RFC, because generating one takes a second on a slow machine. */
function rsaPair(): ReturnType<typeof freshPair> {
  const privateKey = createPrivateKey({ key: { ...rfc7515RsaKey }, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function isSigned(jwt: string, key: KeyObject, algorithm: JwsAlgorithm): boolean {
  const [header, claims, signature = ''] = jwt.split('.')
  const hash = algorithm === 'EdDSA' ? null : algorithm === 'ES384' ? 'sha384' : 'sha256'
  const padding = algorithm === 'PS256' ? { padding: 6, saltLength: 32 } : {}
  return verify(
    hash,
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363', ...padding },
    Buffer.from(signature, 'base64url'),
  )
}

describe.each(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const)('a key for %s', (algorithm) => {
  const { privateKey, publicKey } = freshPair(algorithm)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const jwk = privateKey.export({ format: 'jwk' }) as JsonWebKey

  test.each([
    ['PEM', pem],
    ['PEM with other line ends and text around it', `Bag Attributes\n${pem.replaceAll('\n', '\r\n')}\n`],
    ['JWK', jwk],
    ['JWK that says what it is for', { ...jwk, alg: algorithm, use: 'sig', kid: 'k0' }],
  ])('signs when it is given as %s', async (_form, given) => {
    const key = await importSigningKey(given, { algorithm })
    const jwt = await signJwt(key, { typ: 'JWT' }, { sub: 'ü' })
    expect(isSigned(jwt, publicKey, algorithm)).toBe(true)
    expect(decodedJwt(jwt).header).toMatchObject({ alg: algorithm, typ: 'JWT' })
    expect(decodedJwt(jwt).claims).toEqual({ sub: 'ü' })
  })

  test('is named by its kid', async () => {
    const named = await signJwt(await importSigningKey({ ...jwk, kid: 'k1' }, { algorithm }), {}, {})
    expect(decodedJwt(named).header).toMatchObject({ kid: 'k1' })
    const renamed = await signJwt(
      await importSigningKey({ ...jwk, kid: 'k1' }, { algorithm, kid: 'k2' }),
      {},
      {},
    )
    expect(decodedJwt(renamed).header).toMatchObject({ kid: 'k2' })
    expect(decodedJwt(await signJwt(await importSigningKey(pem, { algorithm }), {}, {})).header).toEqual({
      alg: algorithm,
    })
  })
})

test('an RSA key signs with RS256 unless it says otherwise', async () => {
  expect((await importSigningKey(rfc7515RsaKey)).algorithm).toBe('RS256')
  expect((await importSigningKey({ ...rfc7515RsaKey, alg: 'PS256' })).algorithm).toBe('PS256')
})

describe('a key that cannot be used is refused without a trace of it', () => {
  const rsa = freshPair('RS256').privateKey
  const ec = freshPair('ES256').privateKey
  const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1', more = {}): string =>
    key.export({ type, format: 'pem', ...more }).toString()
  const secp = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey
  const whole = pem(ec, 'pkcs8')
  const convert = 'convert the private key with: openssl pkcs8 -topk8 -nocrypt -in key.pem'
  const choose = 'provide a private key for ES256, ES384, RS256, PS256 or Ed25519 as PEM (PKCS #8) or JWK'
  const ecJwk = ec.export({ format: 'jwk' }) as JsonWebKey
  const { d: _private, ...publicJwk } = ecJwk
  const cases: readonly (readonly [what: string, key: string | JsonWebKey, message: string])[] = [
    ['nothing', '', `the private key is not PEM; ${convert}`],
    ['base64 alone', 'AAAA', `the private key is not PEM; ${convert}`],
    ['PKCS #1', pem(rsa, 'pkcs1'), `the private key is in the older PKCS #1 form; ${convert}`],
    ['SEC 1', pem(ec, 'sec1'), `the private key is in the older SEC 1 form; ${convert}`],
    [
      'an encrypted key',
      pem(ec, 'pkcs8', { cipher: 'aes-256-cbc', passphrase: 'word' }),
      `the private key is encrypted; ${convert}`,
    ],
    [
      'a public key',
      createPublicKey(ec).export({ type: 'spki', format: 'pem' }).toString(),
      `the private key is a public key; ${convert}`,
    ],
    [
      'a torn key',
      whole.replace(/\n.{20}/, '\n!'),
      `the private key is damaged: its body is not base64; ${convert}`,
    ],
    [
      'half a key',
      `-----BEGIN PRIVATE KEY-----\n${(whole.split('\n')[1] ?? '').slice(0, 60)}\n-----END PRIVATE KEY-----`,
      `the private key is damaged, or is not a private key; ${choose}`,
    ],
    ['another curve', pem(secp, 'pkcs8'), `the private key is of an unsupported kind; ${choose}`],
    ['a JWK of another kind', { kty: 'oct' }, `the private key is of an unsupported kind; ${choose}`],
    ['a public JWK', publicJwk, `the private key is damaged, or is not a private key; ${choose}`],
    [
      'a JWK with a wrong part',
      { ...ecJwk, d: 'AAAA' },
      `the private key is damaged, or is not a private key; ${choose}`,
    ],
  ]

  test.each(cases)('%s', async (_what, key, message) => {
    const error = await authFailure(() => importSigningKey(key))
    expect(error).toMatchObject({ code: 'key_invalid', stage: 'token', message })
    const parts =
      typeof key === 'string'
        ? key.split('\n').filter((line) => line.length > 30 && !line.startsWith('-'))
        : [key.d, key.x]
    for (const part of parts) if (part !== undefined) expect(allTextOf(error)).not.toContain(part)
  })

  test('with an algorithm that it is not for', async () => {
    const error = await authFailure(() => importSigningKey(ecJwk, { algorithm: 'RS256' }))
    expect(error.message).toBe(`the private key cannot sign with RS256, only with ES256; ${choose}`)
  })
})

describe('a DPoP proof', () => {
  test('names method, address, time and key, and nothing that is private', async () => {
    const key = await createDpopKey()
    const before = Math.floor(Date.now() / 1000)
    const proof = await dpopProof(key, { method: 'POST', url: 'https://as.example:8443/token/?q=1#f' })
    const { header, claims } = decodedJwt(proof)
    expect(header).toEqual({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.publicJwk })
    expect(Object.keys(key.publicJwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y'])
    expect(claims).toEqual({
      htm: 'POST',
      htu: 'https://as.example:8443/token/',
      iat: expect.any(Number),
      jti: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(claims['iat']).toBeGreaterThanOrEqual(before)
    const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' })
    expect(isSigned(proof, publicKey, 'ES256')).toBe(true)
  })

  test('holds the hash of the token (RFC 9449 section 7.1) and the nonce', async () => {
    const key = await createDpopKey()
    const target = {
      method: 'GET',
      url: 'https://resource.example.org/protectedresource',
      accessToken: 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU',
      nonce: 'eyJ7S_zG.eyJH0-Z.HX4w-7v',
    }
    const { claims } = decodedJwt(await dpopProof(key, target))
    expect(claims).toMatchObject({
      ath: 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo',
      nonce: 'eyJ7S_zG.eyJH0-Z.HX4w-7v',
    })
    const again = decodedJwt(await dpopProof(key, target))
    expect(again.claims['jti']).not.toBe(claims['jti'])
  })

  test('is made with a key that was kept', async () => {
    const key = await createDpopKey()
    const kept = await importDpopKey(JSON.parse(JSON.stringify(key.privateJwk)) as JsonWebKey)
    expect(kept.thumbprint).toBe(key.thumbprint)
    expect(kept.publicJwk).toEqual(key.publicJwk)
    expect(kept.thumbprint).toBe(await jwkThumbprint(key.publicJwk))
  })

  test('goes along with a token request', async () => {
    const request = {
      method: 'POST',
      url: 'https://as.example/token',
      headers: { accept: 'application/json' },
      body: 'a=b',
      stage: 'token',
    } as const
    const proven = await withDpopProof(request, await createDpopKey(), 'n1')
    expect(proven).toMatchObject({
      ...request,
      headers: { accept: 'application/json', dpop: expect.any(String) },
    })
    expect(decodedJwt(proven.headers['dpop'] ?? '').claims).toMatchObject({
      htm: 'POST',
      htu: 'https://as.example/token',
      nonce: 'n1',
    })
  })

  test.each([
    ['eyJ7S_zG.eyJH0-Z.HX4w-7v', 'eyJ7S_zG.eyJH0-Z.HX4w-7v'],
    ['', undefined],
    ['a b', undefined],
    ['a"b', undefined],
    ['a\\b', undefined],
    ['ü', undefined],
  ])('uses the nonce %j as %j', (header, nonce) => {
    expect(dpopNonceOf({ 'dpop-nonce': header })).toBe(nonce)
    expect(dpopNonceOf({})).toBeUndefined()
  })
})
