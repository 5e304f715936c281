import { expect, test } from 'vitest'
import { spawnServer } from '../../src/process/spawn-server.ts'
import { pretendWindows } from './fake-windows.ts'

test.each([
  ['a program', 'server', 'C:\\bin\\server.exe', false],
  ['a batch file', 'npx', 'C:\\Windows\\System32\\cmd.exe', true],
])(
  'on Windows, %s is started without a shell and without a window [S4-28] [S4-29]',
  async (_title, command, file, isVerbatim) => {
    const { spawn } = pretendWindows(['C:\\bin\\server.exe', 'C:\\bin\\npx.cmd'])
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
