import { type Listening, listen } from '../../src/http/listen.ts'
import { createTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'

/** A test gateway behind a real port. */
export interface ListeningGateway extends AsyncDisposable {
  readonly url: string
  readonly gateway: TestGateway
}

/** Options that depend on the URL are created for it. Default of `port`: any free one. */
export async function listenTestGateway(
  options: TestGatewayOptions | ((url: string) => Promise<TestGatewayOptions>),
  port = 0,
): Promise<ListeningGateway> {
  const listening: Listening = await listen({ hostname: '127.0.0.1', port, allowedHostHeaders: [] })
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
