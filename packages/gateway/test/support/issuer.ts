import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** Claims, undefined for those that a token should lack. */
type Claims = Readonly<Record<string, unknown>>

/** A server with the metadata and the keys of an issuer, for tokens that a correct issuer never signs. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string
  /** The public key, as everyone can read it. */
  publicKey(): Promise<JWK>
  /** Signs a token for the audience `gateway` about `ada` that is valid for an hour, with these changes. */
  sign(changes?: Claims, header?: Partial<JWTHeaderParameters>, key?: KeyPair['privateKey']): Promise<string>
  /** Replaces the key. */
  rotate(): Promise<void>
  /** Answers with an error from now on. */
  fail(): void
}

export async function startIssuer(): Promise<TestIssuer> {
  let [keyNumber, isFailing] = [1, false]
  let pair = await generateKeyPair('ES256', { extractable: true })
  const publicKey = async (): Promise<JWK> => ({
    ...(await exportJWK(pair.publicKey)),
    kid: `key-${keyNumber}`,
    alg: 'ES256',
    use: 'sig',
  })
  const documentAt = async (path: string | undefined): Promise<object> =>
    path === '/jwks' ? { keys: [await publicKey()] } : metadataOf(url)
  const server = createServer((request, response) => {
    void documentAt(request.url).then((document) => {
      response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(document))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    publicKey,
    sign: (changes = {}, header = {}, key = pair.privateKey) => {
      const now = Math.floor(Date.now() / 1_000)
      const claims = { iss: url, aud: 'gateway', sub: 'ada', iat: now, exp: now + 3_600, ...changes }
      const usual = { alg: 'ES256', kid: `key-${keyNumber}`, typ: 'at+jwt' }
      return new SignJWT(claims).setProtectedHeader({ ...usual, ...header }).sign(key)
    },
    async rotate() {
      keyNumber += 1
      pair = await generateKeyPair('ES256', { extractable: true })
    },
    fail: () => {
      isFailing = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  }
}
