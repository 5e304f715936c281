import { setTimeout as delay } from 'node:timers/promises'
import {
  type CallToolResult,
  completable,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const BOOKS: readonly string[] = ['emma', 'ulysses', 'utopia']

/** A server on version 2 of the official SDK, for both eras, with the features that `modern` lacks. */
export function createCatalogueServer(): McpServer {
  const server = new McpServer(
    { name: 'catalogue', version: '2.0.0', title: 'Catalogue' },
    { capabilities: { logging: {} } },
  )
  addBooks(server)
  addReview(server)
  addCount(server)
  addQuestions(server)
  return server
}

function addBooks(server: McpServer): void {
  const template = new ResourceTemplate('book://{title}', {
    list: () => ({ resources: BOOKS.map((title) => ({ uri: `book://${title}`, name: title })) }),
    complete: { title: (typed) => BOOKS.filter((title) => title.startsWith(typed)) },
  })
  server.registerResource('book', template, { mimeType: 'text/plain' }, (uri, { title }) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: `This is ${String(title)}.` }],
  }))
}

function addReview(server: McpServer): void {
  const title = completable(z.string(), (typed) => BOOKS.filter((book) => book.startsWith(typed)))
  server.registerPrompt('review', { argsSchema: z.object({ title }) }, (args) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Please review ${args.title}.` } }],
  }))
}

/** Reports progress and logs it. */
function addCount(server: McpServer): void {
  server.registerTool(
    'count',
    { description: 'Counts slowly.', inputSchema: z.object({ to: z.int().max(1_000) }) },
    async ({ to }, context) => {
      for (let progress = 1; progress <= to; progress++) {
        await report(context, progress, to)
        await delay(10, undefined, { signal: context.mcpReq.signal })
      }
      await context.mcpReq.log('info', `counted to ${to}`)
      return said('done')
    },
  )
}

async function report({ mcpReq }: ServerContext, progress: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
}

function addQuestions(server: McpServer): void {
  server.registerTool('write_poem', { description: 'Has the model of the host write.' }, ({ mcpReq }) => {
    const poem = inputResponse(mcpReq.inputResponses, 'poem')
    if (poem.kind === 'sampling') return said(JSON.stringify(poem.result.content))
    const content = { type: 'text', text: 'Write a poem.' } as const
    const request = inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 20 })
    return inputRequired({ inputRequests: { poem: request } })
  })
  server.registerTool('look_around', { description: 'Asks where it may work.' }, ({ mcpReq }) => {
    const where = inputResponse(mcpReq.inputResponses, 'where')
    if (where.kind === 'roots') return said(where.roots.map(({ uri }) => uri).join(' '))
    return inputRequired({ inputRequests: { where: inputRequired.listRoots() } })
  })
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}
