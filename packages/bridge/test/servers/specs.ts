import { fileURLToPath } from 'node:url'
import { type BridgeOptions, localAuthority, type StdioServerSpec } from '@toolbridge/bridge'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { canary } from '@toolbridge/testkit/secrets'
import { linkInMemory } from './in-memory.ts'

/** A definition of a program that is run with Node, and gets a secret that nobody may hear of. */
export function nodeServer(name: string, program: string, ...flags: readonly string[]): StdioServerSpec {
  return {
    name,
    transport: 'stdio',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: `/${name}` },
    command: process.execPath,
    args: [program, ...flags],
    env: { CANARY: canary('environment') },
  }
}

export function fixture(
  program: keyof typeof fixtureServers,
  name: string = program,
  ...flags: readonly string[]
): StdioServerSpec {
  return nodeServer(name, fixtureServers[program], ...flags)
}

/** A server that is only of use to the tests of this package. */
export function ownServer(
  name: 'changing' | 'chatty' | 'gallery' | 'late' | 'parrot' | 'rewriting' | 'turncoat',
): StdioServerSpec {
  return nodeServer(name, fileURLToPath(new URL(`${name}.mjs`, import.meta.url)))
}

/** A server that starts quickly, answers with its own name and behaves as its environment says. */
export function plainServer(name: string, env: Readonly<Record<string, string>> = {}): StdioServerSpec {
  const program = fileURLToPath(new URL('plain.mjs', import.meta.url))
  const spec = nodeServer(name, program)
  return { ...spec, env: { ...spec.env, NAME: name, ...env } }
}

/** What most tests want: this machine's authority, and nobody to ask for calls. */
export function permissive(servers: BridgeOptions['servers']): BridgeOptions {
  // Somebody listens, so that there is something to scan for canaries.
  return {
    servers,
    authority: localAuthority(),
    permissions: { mode: 'allow' },
    hooks: {},
    transportOf: linkInMemory,
  }
}

export function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
