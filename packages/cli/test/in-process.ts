import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { look } from '@toolbridge/testkit/secrets'
import { Interruptions } from '../src/interruptions.ts'
import { run } from '../src/run.ts'
import type { Terminal } from '../src/terminal.ts'
import { outputProblems } from './published-schemas.ts'
import type { Finished, RunOptions } from './transcript.ts'

export interface InProcessOptions extends RunOptions {
  /** Connects to servers in this process. Default: as their definitions say. */
  readonly transportOf?: Terminal['transportOf']
  /** Imports a program of the user. Default: as a process does, which changes how this one imports modules. */
  readonly importModule?: Terminal['importModule']
  /** The standard input. Default: the text of `input`. */
  readonly stdin?: Readable
  /** Called with each text that is written to the standard output. */
  readonly onOutput?: (text: string) => void
  /** Called with each text that is written to the standard error. */
  readonly onError?: (text: string) => void
  /** What Ctrl-C and signals do. Default: none comes. */
  readonly interruptions?: Interruptions
}

/**
 * Runs the command in this process, for tests whose subject is what it prints: starting a process takes ten times as
 * long. JSON has to follow its published schema. The environment is the one that a process would have, and is restored.
 */
export async function runInProcess(
  args: readonly string[],
  options: InProcessOptions = {},
): Promise<Finished> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...options.env }
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const restore = setEnvironment(env)
  const {
    onOutput,
    onError,
    stdin = Readable.from(options.input === undefined ? [] : [options.input]),
    interruptions = new Interruptions(() => {}),
  } = options
  if (onOutput !== undefined) stdout.on('data', (chunk: Buffer) => onOutput(chunk.toString()))
  if (onError !== undefined) stderr.on('data', (chunk: Buffer) => onError(chunk.toString()))
  try {
    const running = run(args, {
      stdin,
      stdout,
      stderr,
      env,
      cwd: options.cwd ?? tmpdir(),
      signal: interruptions.signal,
      interrupt: () => interruptions.interrupt(),
      takeInterrupt: (onInterrupt) => interruptions.take(onInterrupt),
      transportOf: options.transportOf,
      importModule: options.importModule,
    }).finally(() => [stdout, stderr].map((stream) => stream.end()))
    const [code, printed, complained] = await Promise.all([running, text(stdout), text(stderr)])
    look('output', printed + complained, `toolbridge ${args.join(' ')}`)
    const problems = outputProblems(args, printed)
    if (problems.length > 0)
      throw new Error(`the JSON does not follow its schema: ${JSON.stringify(problems)}`)
    return { code, stdout: printed, stderr: complained }
  } finally {
    restore()
  }
}

/** Sets variables of this process, which programs it starts inherit, and returns a function that restores them. */
function setEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
