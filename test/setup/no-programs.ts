import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { expect } from 'vitest'
import { isQuick } from './quick.ts'

const started: string[] = []

// Evaluated once per worker. Whether a file may start programs is decided when it starts one.
guard(ChildProcess.prototype, 'spawn')
for (const name of ['spawnSync', 'execFileSync', 'execSync']) guard(childProcess, name)
syncBuiltinESMExports()

/** The quick test files that started a program since the last call. */
export function takeStarted(): readonly string[] {
  return started.splice(0)
}

function guard(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new TypeError(`${name} is not a function`)
  Reflect.set(owner, name, function (this: unknown, ...given: unknown[]): unknown {
    const { testPath = '' } = expect.getState()
    if (isQuick(testPath)) {
      started.push(testPath)
      throw new Error(`${testPath} starts a program: name it *.process.test.ts`)
    }
    return Reflect.apply(original, this, given)
  })
}
