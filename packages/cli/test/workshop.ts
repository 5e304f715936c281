import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canary } from '@toolbridge/testkit/secrets'
import { runInProcess } from './in-process.ts'
import { type Finished, type RunOptions, temporaryFolder } from './transcript.ts'

/** A server with tools for every kind of argument, resources, prompts and completions, or with some of these tools. */
export function workshopWith(...tools: readonly string[]): object {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('workshop.mjs', import.meta.url)), ...tools],
    env: { KEY: canary('environment') },
  }
}

export const workshop: object = workshopWith()

export interface Workplace {
  readonly path: string
  /** Runs a command with these servers configured. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>
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
        ...options,
        env: { HOME: path, ...options?.env },
      }),
  }
}
