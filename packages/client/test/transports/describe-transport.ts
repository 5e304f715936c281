import { afterEach, describe, expect, test, vi } from 'vitest'
import { fakeTime } from '../support/fake-time.ts'
import { McpClient, type McpClientOptions, type McpTransport } from '../../src/index.ts'

/** A transport whose other end is the `elicit` fixture server, and how to end that server. */
export interface TransportUnderTest {
  readonly transport: McpTransport
  close(): Promise<void>
}

/** What every transport promises, whatever carries it. */
export function describeTransport(name: string, open: () => Promise<TransportUnderTest>): void {
  describe(`the ${name} transport`, () => {
    const opened: { close(): Promise<void> }[] = []

    afterEach(async () => {
      for (const each of opened.splice(0).reverse()) await each.close()
    })

    async function connected(options: McpClientOptions = {}): Promise<McpClient> {
      const under = await open()
      const client = new McpClient(under.transport, options)
      opened.push(under, client)
      await client.connect()
      return client
    }

    test('opens, lists and closes', async () => {
      const client = await connected()
      expect(client.info?.serverInfo.name).toBe('elicit')
      expect((await client.listTools()).map((tool) => tool.name)).toContain('greet_me')
      await client.ping()
      await client.close()
      await client.close()
    })

    test('carries a server’s question and its answer inside a call', async () => {
      const asked = vi.fn(async () => ({
        action: 'accept' as const,
        content: { name: 'Ada', excited: true },
      }))
      const client = await connected({ onElicitation: asked })
      expect(await client.callTool('greet_me')).toMatchObject({ content: [{ text: 'Hello, Ada!!!' }] })
      expect(asked).toHaveBeenCalledOnce()
    })

    test('keeps fifty calls apart', async () => {
      const client = await connected({
        onElicitation: async () => ({ action: 'accept', content: { name: 'Ada' } }),
      })
      const toppings = Array.from({ length: 50 }, (_, index) => `topping ${index}`)
      const orders = await Promise.all(toppings.map((topping) => client.callTool('order_pizza', { topping })))
      expect(orders.map(({ content }) => content[0])).toEqual(
        toppings.map((topping) => ({ type: 'text', text: `1 medium ${topping} pizza, picked up` })),
      )
    })

    test('passes a tool’s failure on as a result', async () => {
      const client = await connected()
      expect(await client.callTool('no_such_tool')).toMatchObject({ isError: true })
      // Nobody can be asked: the capability was not declared.
      expect(await client.callTool('greet_me')).toMatchObject({ isError: true })
    })

    test('cancels a call and goes on', async () => {
      const client = await connected()
      const abort = new AbortController()
      const slow = client.callTool('whoami_slow', { delayMs: 10_000 }, { signal: abort.signal })
      abort.abort('changed my mind')
      await expect(slow).rejects.toBe('changed my mind')
      await client.ping()
    })

    test('ends a call whose time is up and goes on', async () => {
      const client = await connected()
      const slow = client.callTool('whoami_slow', { delayMs: 10_000 }, { timeoutMs: 100 })
      await expect(slow).rejects.toMatchObject({ kind: 'timeout' })
      await client.ping()
    })

    test('does not count the time a person takes', async () => {
      const pass = fakeTime()
      const answerLate = async (): Promise<{ action: 'decline' }> => {
        await pass(60_000)
        return { action: 'decline' }
      }
      const client = await connected({ onElicitation: answerLate })
      expect(await client.callTool('greet_me', {}, { timeoutMs: 30_000 })).toMatchObject({
        content: [{ text: 'declined' }],
      })
    })

    test('does not report its own close as a lost connection', async () => {
      const onClose = vi.fn()
      const client = await connected({ onClose })
      await client.close()
      for (const each of opened.splice(0).reverse()) await each.close()
      expect(onClose).not.toHaveBeenCalled()
    })

    test('rejects what is in flight when it closes, and everything after', async () => {
      const client = await connected()
      const slow = client.callTool('whoami_slow', { delayMs: 10_000 })
      const rejected = expect(slow).rejects.toMatchObject({ kind: 'closed' })
      await client.close()
      await rejected
      await expect(client.ping()).rejects.toMatchObject({ kind: 'closed' })
    })
  })
}
