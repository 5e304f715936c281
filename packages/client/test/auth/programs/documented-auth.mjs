// Stands in for `@toolbridge/client/auth` where an example of the documents is run: servers on this machine are allowed.
import * as auth from '@toolbridge/client/auth'
import * as authNode from '@toolbridge/client/auth-node'

const security = { [auth.allowInsecureHttp]: true, [auth.allowLoopback]: true }

export const { memoryAuthProvider, memoryAuthStore, createAuthProvider, allowInsecureHttp, allowLoopback } =
  auth
export const { fileAuthStore } = authNode

export class McpOAuth extends auth.McpOAuth {
  constructor(options) {
    super({ security, ...options })
  }
}

export const finishMcpAuth = (serverUrl, code, state, options) =>
  auth.finishMcpAuth(serverUrl, code, state, { security, ...options })

export const clientCredentialsAuthorization = (options) =>
  auth.clientCredentialsAuthorization({ security, ...options })

/** The person's browser follows every redirect by itself. */
export const loopbackAuthProvider = (options) =>
  authNode.loopbackAuthProvider({
    ...options,
    print: () => undefined,
    openBrowser: async (url) => {
      void fetch(url)
      return true
    },
  })
