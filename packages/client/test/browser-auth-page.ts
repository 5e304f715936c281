/** What the page of the sign-in test loads: a connection whose person is sent away and comes back to a new page. */
import {
  allowInsecureHttp,
  allowLoopback,
  finishMcpAuth,
  type McpAuthProvider,
  McpOAuth,
  webAuthStore,
  withStore,
} from '../src/auth.ts'
import { connectMcp, McpUnauthorizedError } from '../src/index.ts'

/** What of a browser is used here. */
declare const window: {
  readonly location: { readonly origin: string; readonly search: string; href: string }
  readonly sessionStorage: Parameters<typeof webAuthStore>[0]
}

const { location, sessionStorage } = window

export type PageClient = { readonly client_id: string; readonly issuer: string }

function providerOf(client: PageClient): McpAuthProvider {
  return withStore(webAuthStore(sessionStorage), {
    redirectUrl: `${location.origin}/callback`,
    clientMetadata: { client_name: 'a page' },
    client,
    redirectToAuthorization: (url) => {
      location.href = url.href
    },
  })
}

const security = { [allowInsecureHttp]: true, [allowLoopback]: true }

/** Connects, calls a tool and says what came of it; a person who is needed is on their way then. */
async function use(serverUrl: string, client: PageClient): Promise<string> {
  const authorization = new McpOAuth({ serverUrl, provider: providerOf(client), security })
  try {
    const connection = await connectMcp({ url: serverUrl, authorization })
    const { content } = await connection.client.callTool('hello', { name: 'page' })
    await connection.close()
    return JSON.stringify(content)
  } catch (error) {
    return error instanceof McpUnauthorizedError ? 'sent away' : String(error)
  }
}

async function finish(serverUrl: string, client: PageClient): Promise<void> {
  const { code = '', state = '', iss } = Object.fromEntries(new URLSearchParams(location.search))
  await finishMcpAuth(serverUrl, code, state, { provider: providerOf(client), security, iss })
}

Object.assign(window, { use, finish })
