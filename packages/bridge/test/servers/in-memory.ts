import { type BridgeOptions, type StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { loadFixture } from '@toolbridge/testkit/servers'

/** A server of this package: sends messages, and returns what receives them. */
type Serve = (deliver: (message: JsonRpcMessage) => void) => (message: JsonRpcMessage) => void

type End = ReturnType<typeof createMemoryPair>[1]

// Loaded here because `linkInMemory` is synchronous.
const [createHello, createElicit] = [await loadFixture('hello'), await loadFixture('elicit')]
const connect: Readonly<Record<Program, (end: End) => void>> = {
  hello: (end) => void createHello().connect(end),
  elicit: (end) => void createElicit().connect(end),
  gallery: await loadOwn('gallery'),
  late: await loadOwn('late'),
  worldly: await loadOwn('worldly'),
}

type Program = 'hello' | 'elicit' | 'gallery' | 'late' | 'worldly'

async function loadOwn(name: Program): Promise<(end: End) => void> {
  const { serve }: { readonly serve: Serve } = await import(`./${name}.mjs`)
  return (end) => {
    end.onmessage = serve((message) => void end.send(message))
  }
}

function isProgram(name: string | undefined): name is Program {
  return name !== undefined && Object.hasOwn(connect, name)
}

const command = 'in-memory'

/**
 * A definition of a server that runs in this process, for tests to which its process does not matter. Only
 * bridges with the option `transportOf: linkInMemory` reach it; each connection gets a server of its own.
 */
export function inMemory(program: Program, name: string = program): StdioServerSpec {
  return {
    name,
    transport: 'stdio',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: `/${name}` },
    command,
    args: [program],
    env: { CANARY: canary('environment') },
  }
}

export const linkInMemory: NonNullable<BridgeOptions['transportOf']> = (spec) => {
  if (spec.transport !== 'stdio' || spec.command !== command) return undefined
  const [program] = spec.args
  if (!isProgram(program)) return undefined
  const [link, end] = createMemoryPair()
  connect[program](end)
  return link
}
