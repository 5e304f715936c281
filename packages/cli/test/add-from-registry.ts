import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { runInProcess } from './in-process.ts'
import { startRegistry, type TestRegistry } from './registry.ts'
import { type Finished, temporaryFolder } from './transcript.ts'

/** `toolbridge add` with a registry for all tests of a file and a home folder for each. */
export interface RegistryWorkbench {
  readonly registry: () => TestRegistry
  readonly folder: () => string
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Finished>
  /** Adds to the user's file without a question. */
  readonly add: (...args: readonly string[]) => Promise<Finished>
  readonly ownFile: () => string
  /** What the user's file says. */
  readonly document: () => WrittenDocument
  readonly requireNothingWritten: (result: Promise<Finished>, code: number, message: string) => Promise<void>
}

interface WrittenDocument {
  readonly mcpServers: Readonly<Record<string, WrittenEntry>>
  readonly inputs?: unknown
}

interface WrittenEntry {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: object
  readonly headers?: object
}

export function useRegistry(): RegistryWorkbench {
  let registry: TestRegistry
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())
  beforeEach(() => {
    folder = temporaryFolder()
    registry.responses.clear()
    registry.requests.length = 0
  })
  afterEach(() => folder.remove())
  const ownFile = (): string => join(folder.path, '.toolbridge/mcp.json')
  const run: RegistryWorkbench['run'] = (args, env = {}) => {
    const all = { HOME: folder.path, TOOLBRIDGE_REGISTRY: registry.url, ...env }
    return runInProcess(args, { cwd: folder.path, env: all })
  }
  return {
    registry: () => registry,
    folder: () => folder.path,
    run,
    add: (...args) => run(['add', '--user', '--yes', ...args]),
    ownFile,
    document: () => JSON.parse(readFileSync(ownFile(), 'utf8')),
    requireNothingWritten: async (result, code, message) => {
      expect(await result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
      expect(existsSync(ownFile())).toBe(false)
    },
  }
}

export const name = 'io.github.ada/weather-mcp'
export const about = { name, description: 'Weather for everyone', version: '1.2.0' }
export const npm = {
  registryType: 'npm',
  identifier: '@ada/weather-mcp',
  version: '1.2.3',
  transport: { type: 'stdio' },
}
export const withNpm = (fields: object): object => ({ ...about, packages: [{ ...npm, ...fields }] })
export const positional = (value: string): object => ({ type: 'positional', value })
