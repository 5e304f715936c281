import { setTimeout as delay } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type {
  CallToolResult,
  ElicitRequestFormParams,
  ElicitResult,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

type CallContext = RequestHandlerExtra<ServerRequest, ServerNotification>

/** A server whose tools ask a person before they answer. */
export function createElicitServer(): McpServer {
  const server = new McpServer({ name: 'elicit', version: '1.0.0', title: 'Questions' })
  addGreetMe(server)
  addOrderPizza(server)
  addWhoAmISlow(server)
  return server
}

function addGreetMe(server: McpServer): void {
  server.registerTool('greet_me', { description: 'Asks for your name and greets you.' }, async (context) => {
    const answer = await ask(server, context, 'What is your name?', {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 1 },
        excited: { type: 'boolean', title: 'Excited', description: 'Greet with more energy' },
      },
      required: ['name'],
    })
    return whenAccepted(
      answer,
      ({ name, excited }) => `Hello, ${String(name)}${excited === true ? '!!!' : '!'}`,
    )
  })
}

function addOrderPizza(server: McpServer): void {
  server.registerTool(
    'order_pizza',
    {
      description: 'Orders pizza after asking for the details.',
      inputSchema: { topping: z.string().default('cheese').describe('What is on it') },
    },
    async ({ topping }, context) => {
      const answer = await ask(server, context, `Details of your ${topping} pizza, please.`, {
        type: 'object',
        properties: {
          size: { type: 'string', title: 'Size', enum: ['small', 'medium', 'large'], default: 'medium' },
          count: { type: 'integer', title: 'How many', minimum: 1, maximum: 10, default: 1 },
          delivery: { type: 'boolean', title: 'Deliver it', default: false },
        },
        required: ['size', 'count'],
      })
      return whenAccepted(answer, (order) => {
        const way = order['delivery'] === true ? 'delivered' : 'picked up'
        return `${String(order['count'])} ${String(order['size'])} ${topping} pizza, ${way}`
      })
    },
  )
}

function addWhoAmISlow(server: McpServer): void {
  server.registerTool(
    'whoami_slow',
    {
      description: 'Waits a while, then asks who you are and says it.',
      inputSchema: { delayMs: z.number().int().min(0).max(10_000).default(200).describe('How long to wait') },
    },
    async ({ delayMs }, context) => {
      await delay(delayMs, undefined, { signal: context.signal })
      const answer = await ask(server, context, 'Who are you?', {
        type: 'object',
        properties: { name: { type: 'string', title: 'Name' } },
        required: ['name'],
      })
      return whenAccepted(answer, ({ name }) => `You are ${String(name)}.`)
    },
  )
}

/** Asks on the stream of the call, for as long as the call runs. */
function ask(
  server: McpServer,
  context: CallContext,
  message: string,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): Promise<ElicitResult> {
  return server.server.elicitInput(
    { mode: 'form', message, requestedSchema },
    { relatedRequestId: context.requestId, signal: context.signal, timeout: 600_000 },
  )
}

function whenAccepted(
  answer: ElicitResult,
  say: (content: NonNullable<ElicitResult['content']>) => string,
): CallToolResult {
  const words = {
    accept: () => say(answer.content ?? {}),
    decline: () => 'declined',
    cancel: () => 'cancelled',
  }
  return { content: [{ type: 'text', text: words[answer.action]() }] }
}
