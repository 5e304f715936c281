import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { type InProcessOptions, runInProcess } from './in-process.ts'
import { type Finished, temporaryFolder } from './transcript.ts'
import { answer } from './workshop-server.mjs'

const program = fileURLToPath(new URL('workshop.mjs', import.meta.url))

/** A server with tools for every kind of argument, resources, prompts and completions, or with some of these tools. */
export function workshopWith(...tools: readonly string[]): object {
  return { command: process.execPath, args: [program, ...tools], env: { KEY: canary('environment') } }
}

/** Runs the workshop in this process instead of as a program. */
export const linkWorkshop: NonNullable<BridgeOptions['transportOf']> = (spec) => {
  if (spec.transport !== 'stdio' || spec.args[0] !== program) return undefined
  const [link, end] = createMemoryPair()
  const session = {
    send: (message: JsonRpcMessage) => end.send(message),
    only: spec.args.slice(1),
    key: spec.env['KEY'],
  }
  end.onmessage = (message) => answer(message, session)
  return link
}

export const workshop: object = workshopWith()

export interface Workplace {
  readonly path: string
  /** Runs a command with these servers configured. */
  run(args: readonly string[], options?: InProcessOptions): Promise<Finished>
  remove(): void
}

/** A folder with a configuration, by default of the workshop alone. */
export function workplace(servers: object = { workshop }): Workplace {
  const { path, ...folder } = temporaryFolder()
  writeFileSync(join(path, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  return {
    path,
    remove: () => folder.remove(),
    run: (args, options) =>
      runInProcess([...args, '--mcp', join(path, 'mcp.json')], {
        cwd: path,
        transportOf: linkWorkshop,
        ...options,
        env: { HOME: path, ...options?.env },
      }),
  }
}
