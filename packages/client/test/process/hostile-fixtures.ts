import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { fixtureServers } from '@toolbridge/testkit/servers'
import type { StdioTransportConfig } from '../../src/stdio.ts'

/** A hostile server to be started, and a text in the environment of all its processes. */
export interface HostileFixture {
  readonly config: StdioTransportConfig
  readonly mark: string
  /** How many processes it is, when it lives long enough to be seen. */
  readonly processes: number | undefined
}

const shellProgram = fileURLToPath(new URL('../programs/hostile.sh', import.meta.url))

/** Servers that differ in what they write. The others differ in their processes, which a shell script starts quickly. */
const NODE_FLAGS = /--(garbage|flood|stderr-flood)\b/

/** A program, the shell it starts, and what that starts. */
const WITH_GRANDCHILD = 3

const cases: readonly (readonly [flags: string, processes?: number])[] = [
  ['--crash-before-initialize'],
  ['--crash-before-initialize --grandchild'],
  ['--crash-before-initialize --setsid'],
  ['--crash-mid-call --setsid', WITH_GRANDCHILD],
  ['--garbage', 1],
  ['--flood', 1],
  ['--endless-pages', 1],
  ['--ignore-stop', 1],
  ['--ignore-stop --grandchild', WITH_GRANDCHILD],
  ['--grandchild', WITH_GRANDCHILD],
  ['--setsid', WITH_GRANDCHILD],
  ['--wrapped', 3],
  ['--wrapped --ignore-stop --setsid', 5],
  ['--answers-twice --string-ids', 1],
  ['--stops-reading', 1],
  ['--closes-stdout', 1],
  ['--stderr-flood', 1],
]

/** One of each kind, with the given flags added to all. */
export function hostileFixtures(...added: readonly string[]): readonly HostileFixture[] {
  return cases.map(([flags, processes]) => {
    const mark = randomUUID()
    const [command, program] = NODE_FLAGS.test(flags)
      ? [process.execPath, fixtureServers.hostile]
      : ['bash', shellProgram]
    const config = {
      command,
      args: [program, ...flags.split(' '), ...added],
      env: { HOSTILE_MARK: mark },
      stop: { graceMs: 100, termMs: 200 },
    }
    return { config, mark, processes }
  })
}
