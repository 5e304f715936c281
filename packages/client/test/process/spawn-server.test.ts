import { afterEach, expect, test, vi } from 'vitest'
import { spawnServer } from '../../src/process/spawn-server.ts'

const platform = process.platform

afterEach(() => {
  vi.restoreAllMocks()
  Object.defineProperty(process, 'platform', { value: platform })
})

test.each([
  ['a program', 'server', 'C:\\bin\\server.exe', false],
  ['a batch file', 'npx', 'C:\\Windows\\System32\\cmd.exe', true],
])(
  'on Windows, %s is started without a shell and without a window',
  async (_title, command, file, isVerbatim) => {
    const spawn = onWindows(['C:\\bin\\server.exe', 'C:\\bin\\npx.cmd'])
    const env = { Path: 'C:\\bin', ComSpec: 'C:\\Windows\\System32\\cmd.exe' }
    await spawnServer({ command, args: ['a'], env, inheritEnv: 'none' }, () => undefined)
    expect(spawn).toHaveBeenCalledExactlyOnceWith(file, expect.any(Array), {
      cwd: undefined,
      env,
      shell: false,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    })
  },
)

/** Has this process take itself for one on Windows, where only these files exist. */
function onWindows(files: readonly string[]): ReturnType<typeof vi.fn> {
  const spawn = vi.fn(() => ({ pid: 1 }))
  const builtin = process.getBuiltinModule.bind(process) as (name: string) => object
  const replaced: Readonly<Record<string, object>> = {
    'node:child_process': { spawn },
    'node:fs': { existsSync: (path: string) => files.includes(path) },
  }
  Object.defineProperty(process, 'platform', { value: 'win32' })
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) => replaced[name] ?? builtin(name))
  return spawn
}
