import { ChildProcess } from 'node:child_process'
import { chai } from 'vitest'
import { look, lookAlong, lookAt } from './leaks.ts'
import { after, before } from './wrap.ts'

/** Searches every error that a test asserts on, because users of the product would see it. */
export function watchErrors(): void {
  const { prototype } = chai.Assertion
  // Inline snapshots find their location by their caller.
  const names = Object.getOwnPropertyNames(prototype).filter((name) => /^to(?!.*Snapshot)[A-Z]/.test(name))
  for (const name of names)
    before(prototype, name, ({ owner }) => {
      const said: unknown = chai.util.flag(Object(owner), 'object')
      lookAtError(said)
      if (typeof said === 'function' && name.startsWith('toThrow'))
        chai.util.flag(Object(owner), 'object', () => thrownBy(() => said()))
    })
}

function lookAtError(error: unknown): void {
  if (error instanceof Error) lookAt('errors', error)
}

function thrownBy(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    lookAtError(error)
    throw error
  }
}

/** Searches stdout and stderr of this process. */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    before(stream, 'write', ({ given }) => look('output', String(given[0]), 'the output of the process'))
  for (const name of ['debug', 'error', 'info', 'log', 'warn'])
    before(console, name, ({ given }) => given.forEach((value) => lookAt('output', value)))
}

/** Searches the output of the command. */
export function watchPrograms(): void {
  after(ChildProcess.prototype, 'spawn', (_result, { owner }) => {
    if (!(owner instanceof ChildProcess) || !owner.spawnargs.some((word) => command.test(word))) return
    for (const stream of [owner.stdout, owner.stderr]) {
      const heard = lookAlong('output', `the output of ${owner.spawnargs.slice(1).join(' ')}`)
      // Does not add a `data` listener, which would start the stream before the test is ready.
      if (stream !== null)
        before(stream, 'push', ({ given: [piece] }) => {
          if (Buffer.isBuffer(piece)) heard(piece.toString())
        })
    }
  })
}

const command = /\/packages\/cli\/dist\//
