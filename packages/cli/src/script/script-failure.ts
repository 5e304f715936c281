import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ExitCode } from '../exit-code.ts'
import { describeError, exitCodeOf } from '../report-error.ts'
import { ScriptError } from './script-error.ts'

/** Frames of an error, so that those of a program are among them below those of the packages that it calls. */
const maxFrames = 50

/** Lets errors have enough frames for `scriptFailure`, until disposed. */
export function longStacks(): Disposable {
  const { stackTraceLimit: before } = Error
  Error.stackTraceLimit = maxFrames
  return {
    [Symbol.dispose]: () => {
      Error.stackTraceLimit = before
    },
  }
}

/** What a program threw, as an error that names the lines of the program and has no stack of Toolbridge. */
export function scriptFailure(thrown: unknown, file: string): ScriptError {
  if (thrown instanceof ScriptError) return thrown
  const code = exitCodeOf(thrown)
  // An `AbortError` is an interruption only if the user has interrupted the command.
  const isOurs = code !== ExitCode.Bug && code !== ExitCode.Cancelled
  const message = isOurs ? describeError(thrown, code) : messageOf(thrown)
  const frames = thrown instanceof Error ? ownFrames(thrown.stack ?? '', dirname(file)) : []
  return new ScriptError(message, isOurs ? code : ExitCode.ToolFailed, frames)
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `the program threw ${String(thrown)}`
  return thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`
}

/** The frames in files of a folder or below, except installed packages. */
function ownFrames(stack: string, folder: string): readonly string[] {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line) && !/[\\/]node_modules[\\/]/.test(line))
    .map(withPath)
    .filter((line) => line.includes(folder + sep))
}

/** The frame with the path of its file instead of the URL. */
function withPath(frame: string): string {
  const position = /:\d+:\d+\)?$/.exec(frame)?.index ?? 0
  const word = frame.slice(0, position).split(/[\s)]/).at(-1) ?? ''
  const start = word.indexOf('file://')
  if (start === -1) return frame
  const url = word.slice(start)
  return frame.slice(0, position - url.length) + fileURLToPath(url) + frame.slice(position)
}
