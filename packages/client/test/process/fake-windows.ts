import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { onTestFinished, vi } from 'vitest'

/** A child process that does nothing by itself. */
export class FakeChild extends EventEmitter {
  readonly pid = 4242
  readonly stdin: PassThrough = new PassThrough()
  readonly stdout: PassThrough = new PassThrough()
  readonly stderr: PassThrough = new PassThrough()
  readonly signalCode = null
  exitCode: number | null = null

  exit(code: number): void {
    this.exitCode = code
    this.emit('exit', code, null)
  }
}

/** The programs that were started on the pretended Windows. */
export interface FakeWindows {
  readonly child: FakeChild
  readonly spawn: ReturnType<typeof vi.fn>
  readonly execFile: ReturnType<typeof vi.fn>
}

/** Pretends, until the test is over, that this process runs on Windows and that only these files exist there. */
export function pretendWindows(files: readonly string[] = []): FakeWindows {
  const child = new FakeChild()
  const spawn = vi.fn(() => child)
  const execFile = vi.fn((_file: string, _args: object, _options: object, done: () => void) => done())
  const modules: Readonly<Record<string, object>> = {
    'node:child_process': { spawn, execFile },
    'node:fs': { existsSync: (path: string) => files.includes(path) },
  }
  const { platform } = process
  const builtin: (name: string) => object = process.getBuiltinModule.bind(process)
  const replaced = vi
    .spyOn(process, 'getBuiltinModule')
    .mockImplementation((name: string) => modules[name] ?? builtin(name))
  Object.defineProperty(process, 'platform', { value: 'win32' })
  onTestFinished(() => {
    replaced.mockRestore()
    Object.defineProperty(process, 'platform', { value: platform })
  })
  return { child, spawn, execFile }
}
