import { type Listening, listen } from '../../src/http/listen.ts'
import { createTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'

/** A test gateway behind a real port. */
export interface ListeningGateway extends AsyncDisposable {
  readonly url: string
  readonly gateway: TestGateway
}

/** Options that depend on the URL are created for it. */
export async function listenTestGateway(
  options: TestGatewayOptions | ((url: string) => Promise<TestGatewayOptions>),
): Promise<ListeningGateway> {
  const listening: Listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  const gateway = createTestGateway({
    ...(typeof options === 'function' ? await options(listening.url) : options),
    hostHeaders: new Set([...listening.hostHeaders, 'localhost']),
  })
  listening.serve(gateway.app)
  return {
    url: listening.url,
    gateway,
    async [Symbol.asyncDispose]() {
      gateway.stop()
      await Promise.all([gateway.services.mcp.close(), gateway.services.relay?.close()])
      await listening.close()
      await gateway[Symbol.asyncDispose]()
    },
  }
}
