import type { Tool } from '@toolbridge/client'

const verbs = ['create', 'list', 'update', 'delete', 'search', 'export', 'merge', 'archive', 'read', 'assign']
const nouns = [
  'issue',
  'comment',
  'repository',
  'branch',
  'message',
  'invoice',
  'customer',
  'event',
  'file',
  'page',
]

/** Servers with tools like those of real ones. */
export function manyServers(
  servers: number,
  tools: number,
): readonly { readonly name: string; readonly tools: readonly Tool[] }[] {
  return Array.from({ length: servers }, (_, server) => ({
    name: `server-${server}`,
    tools: Array.from({ length: tools }, (__, index) => someTool(server, index)),
  }))
}

function someTool(server: number, index: number): Tool {
  const verb = verbs[index % verbs.length]
  const noun = nouns[Math.floor(index / verbs.length) % nouns.length]
  return {
    name: `${verb}_${noun}_${index}`,
    description: `Can ${verb} one ${noun} of account ${server}, and says what became of it. Needs the ${noun} to exist.`,
    inputSchema: {
      type: 'object',
      properties: {
        [`${noun}Id`]: { type: 'string' },
        dryRun: { type: 'boolean' },
        note: { type: 'string' },
      },
      required: [`${noun}Id`],
    },
  }
}
