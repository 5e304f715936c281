import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ExitCode } from '../src/exit-code.ts'
import { reportError } from '../src/report-error.ts'
import type { Terminal } from '../src/terminal.ts'

test.each(['ENOSPC', 'EDQUOT', '53100'])(
  'a full disk (%s) has its own message and exit status, and no stack',
  (code) => {
    const stderr = new PassThrough()
    const terminal = { stderr, env: {}, signal: new AbortController().signal } as unknown as Terminal
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code })
    expect(reportError(error, terminal)).toBe(ExitCode.Storage)
    expect(String(stderr.read())).toBe(
      'toolbridge: storage_full: the disk is full; free disk space and try again\n',
    )
  },
)
