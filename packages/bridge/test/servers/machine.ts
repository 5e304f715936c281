import type { BridgeOptions, StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage, type MemoryServerEnd } from '@toolbridge/client'

/** How a server of a `Machine` behaves. */
export interface Behaviour {
  /** Part of what the server answers with. */
  readonly version: number
  /** Fails to start. */
  readonly isBroken?: boolean
  /** Fails to start while another server has this port. */
  readonly port?: string
  /** Does not answer `initialize` before this is opened by `Machine.open`. */
  readonly gate?: string
}

type Result = Readonly<Record<string, unknown>>

/** Servers in this process that can have an exclusive port, for tests about replacing them. */
export class Machine {
  /** Servers that run, as `name@version`. */
  readonly running: string[] = []
  readonly #ports = new Set<string>()
  readonly #gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>()
  /** The largest number of servers of one name that ran at the same time. */
  most = 0

  define(name: string, behaviour: Behaviour, more: Partial<StdioServerSpec> = {}): StdioServerSpec {
    return {
      name,
      transport: 'stdio',
      enabled: true,
      required: false,
      source: { file: 'test', pointer: `/${name}` },
      command: 'machine',
      args: [JSON.stringify(behaviour)],
      env: {},
      ...more,
    }
  }

  readonly transportOf: NonNullable<BridgeOptions['transportOf']> = (spec) => {
    if (spec.transport !== 'stdio') return undefined
    const [transport, end] = createMemoryPair()
    const behaviour = JSON.parse(spec.args[0] ?? '') as Behaviour
    this.#run(`${spec.name}@${behaviour.version}`, behaviour, end)
    return transport
  }

  /** Lets the calls and the servers that wait at a gate go on, now and later. */
  open(gate: string): void {
    this.#gate(gate).open()
  }

  /** Resolves when the gate is open. */
  opened(gate: string): Promise<void> {
    return this.#gate(gate).opened
  }

  #gate(name: string) {
    let open = (): void => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const gate = this.#gates.get(name) ?? { opened, open }
    this.#gates.set(name, gate)
    return gate
  }

  #run(identity: string, behaviour: Behaviour, end: MemoryServerEnd): void {
    const { port } = behaviour
    const isPortTaken = port !== undefined && this.#ports.has(port)
    if (port !== undefined) this.#ports.add(port)
    this.running.push(identity)
    const name = identity.split('@')[0]
    const count = this.running.filter((other) => other.split('@')[0] === name).length
    this.most = Math.max(this.most, count)
    end.onclose = () => {
      if (port !== undefined && !isPortTaken) this.#ports.delete(port)
      this.running.splice(this.running.indexOf(identity), 1)
    }
    const failure = isPortTaken ? `listen EADDRINUSE ${port}` : behaviour.isBroken ? 'broken' : undefined
    end.onmessage = (message) => void this.#answer(identity, { ...behaviour }, failure, message, end)
  }

  async #answer(
    identity: string,
    { gate }: Behaviour,
    failure: string | undefined,
    message: JsonRpcMessage,
    end: MemoryServerEnd,
  ): Promise<void> {
    if (!('method' in message) || !('id' in message)) return
    const { id, method, params = {} } = message
    if (method === 'initialize' && gate !== undefined) await this.opened(gate)
    const result =
      failure === undefined ? await this.#resultOf(identity, method, params as Result) : undefined
    const error = { code: -32603, message: failure ?? 'unknown method' }
    await end.send({
      jsonrpc: '2.0',
      id,
      ...(result === undefined ? { error } : { result }),
    })
  }

  async #resultOf(identity: string, method: string, params: Result): Promise<Result | undefined> {
    const name = identity.split('@')[0] ?? ''
    if (method === 'initialize')
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name, version: '1' },
      }
    if (method === 'ping') return {}
    if (method === 'tools/list')
      return { tools: ['echo', 'wait'].map((tool) => ({ name: tool, inputSchema: { type: 'object' } })) }
    if (method === 'resources/list') return { resources: [] }
    if (method === 'resources/read') return { contents: [{ uri: params['uri'], text: identity }] }
    if (method !== 'tools/call') return undefined
    const { gate, turns = 0 } = params['arguments'] as { readonly gate?: string; readonly turns?: number }
    if (gate !== undefined) await this.opened(gate)
    for (let turn = 0; turn < turns; turn += 1) await nextTurn()
    return { content: [{ type: 'text', text: identity }] }
  }
}

/** Resolves in the next turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
