import { EvalFlags, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import type { ExceededLimit } from '../../journal/events/events.ts'
import { TypeScriptError, withoutTypes } from '../typescript.ts'
import type { Engine } from './engine.ts'
import { guestProgram, maxErrorCharacters } from './guest.ts'
import type { CodeLimits } from './limits.ts'
import { type CodeFailure, type FromWorker, memoryFailure } from './messages.ts'

/** Deeper recursion is an exception of the code. More would overflow the stack of the worker, which ends it. */
const stackBytes = 512 * 1024
const fileName = 'code.js'

/** The memory of the engine. */
interface EngineMemory {
  readonly buffer: { readonly byteLength: number }
}

interface PendingCall {
  resolve(value: JSValueHandle): void
  reject(value: JSValueHandle): void
}

/** One instance of QuickJS that runs one program. Nothing of the host is reachable from it but the functions it is given. */
export class Sandbox {
  readonly #vm: QuickJS
  /** The function of the guest program. */
  readonly #begin: JSValueHandle
  readonly #limits: CodeLimits
  readonly #post: (message: FromWorker) => void
  readonly #memorySize: () => number
  readonly #initialSize: number
  readonly #pending = new Map<number, PendingCall>()
  #calls = 0
  #answers = 0
  #outputCharacters = 0
  #hasEnded = false

  static async create(
    engine: Engine,
    limits: CodeLimits,
    post: (message: FromWorker) => void,
  ): Promise<Sandbox> {
    let memorySize = (): number => 0
    const vm = await QuickJS.create({
      wasm: engine,
      wasi: (memory: EngineMemory) => {
        memorySize = () => memory.buffer.byteLength
        return {}
      },
      memoryLimit: limits.memoryBytes,
      maxStackSize: stackBytes,
      timezoneOffset: 0,
    })
    return new Sandbox(vm, limits, post, memorySize)
  }

  private constructor(
    vm: QuickJS,
    limits: CodeLimits,
    post: (message: FromWorker) => void,
    memorySize: () => number,
  ) {
    this.#vm = vm
    this.#begin = vm.evalCode(guestProgram, 'guest.js')
    this.#limits = limits
    this.#post = post
    this.#memorySize = memorySize
    this.#initialSize = memorySize()
  }

  /** Runs a program: the body of an async function. */
  run(code: string, functions: readonly string[]): void {
    this.#step(() => {
      const watch = this.#prepare(functions)
      const promise = this.#evaluate(`(async () => {${code}\n})()`)
      this.#vm.callFunction(watch, this.#vm.undefined, promise).dispose()
    })
  }

  /** What is not JavaScript may be TypeScript. */
  #evaluate(program: string): JSValueHandle {
    const script = this.#isJavaScript(program) ? program : withoutTypes(program)
    return this.#vm.evalCode(script, fileName, EvalFlags.STRICT)
  }

  /** Runs nothing: a program that runs may throw a `SyntaxError` too. */
  #isJavaScript(program: string): boolean {
    try {
      this.#vm.evalCode(program, fileName, EvalFlags.STRICT | EvalFlags.COMPILE_ONLY).dispose()
      return true
    } catch (error) {
      if (error instanceof JSException && error.name === 'SyntaxError') return false
      throw error
    }
  }

  /** Answers a call with a JSON text. */
  answer(call: number, value: string): void {
    this.#settle(call, (pending) => pending.resolve(this.#vm.newString(value)))
  }

  /** Lets a call fail. */
  refuse(call: number, message: string): void {
    this.#settle(call, (pending) => pending.reject(this.#vm.newError(message)))
  }

  #settle(call: number, settle: (pending: PendingCall) => void): void {
    const pending = this.#pending.get(call)
    if (pending === undefined || this.#hasEnded) return
    this.#pending.delete(call)
    this.#answers += 1
    this.#step(() => settle(pending))
  }

  #prepare(functions: readonly string[]): JSValueHandle {
    const vm = this.#vm
    return vm.callFunction(
      this.#begin,
      vm.undefined,
      this.#hostFunction('call', (name = '', args = '') => this.#call(name, args)),
      this.#hostFunction('log', (text = '') => this.#log(text)),
      this.#hostFunction('returned', (text = '') => this.#returned(text)),
      this.#hostFunction('failed', (text = '') => this.#failed(text)),
      vm.newString(JSON.stringify(functions)),
    )
  }

  /** A function for the guest, which takes texts. The stack of the host is not shown to the code. */
  #hostFunction(name: string, run: (...texts: readonly string[]) => JSValueHandle): JSValueHandle {
    return this.#vm.newFunction(name, (...args) => {
      try {
        return run(...args.map(textOf))
      } catch (error) {
        throw error instanceof Error ? Object.assign(error, { stack: '' }) : error
      }
    })
  }

  /** Runs code of the guest, and all that it has scheduled. */
  #step(run: () => void): void {
    try {
      run()
      this.#vm.executePendingJobs()
    } catch (error) {
      this.#end({ type: 'failed', failure: failureOf(error) })
    }
    if (this.#hasEnded) return
    if (this.#pending.size > 0) this.#post({ type: 'waiting', answers: this.#answers })
    else this.#end({ type: 'failed', failure: this.#hasRunOutOfMemory() ? memoryFailure : stuckFailure })
  }

  /** The engine drops what it has no memory for, such as the end of a promise. Its own memory never shrinks. */
  #hasRunOutOfMemory(): boolean {
    return this.#memorySize() - this.#initialSize > 0.9 * this.#limits.memoryBytes
  }

  #call(name: string, args: string): JSValueHandle {
    const { calls, argumentCharacters } = this.#limits
    if (this.#calls >= calls) return this.#exceed('calls', `made more than ${calls} calls`)
    if (args.length > argumentCharacters)
      return this.#exceed('arguments', `called ${name} with more than ${argumentCharacters} characters`)
    const call = this.#calls++
    const deferred = this.#vm.newPromise()
    this.#pending.set(call, deferred)
    this.#post({ type: 'call', call, name, args })
    return deferred.handle
  }

  #log(text: string): JSValueHandle {
    if (this.#isTooLong(text)) return this.#exceedOutput()
    this.#post({ type: 'log', text })
    return this.#vm.undefined
  }

  #returned(value: string): JSValueHandle {
    if (this.#isTooLong(value)) return this.#exceedOutput()
    this.#end({ type: 'returned', value: value === '' ? undefined : value })
    return this.#vm.undefined
  }

  #failed(description: string): JSValueHandle {
    this.#end({ type: 'failed', failure: describedFailure(description) })
    return this.#vm.undefined
  }

  /** Each line counts at least once, so that empty ones end too. */
  #isTooLong(text: string): boolean {
    this.#outputCharacters += text.length + 1
    return this.#outputCharacters > this.#limits.outputCharacters
  }

  #exceedOutput(): JSValueHandle {
    const { outputCharacters } = this.#limits
    return this.#exceed('output', `returned and logged more than ${outputCharacters} characters`)
  }

  /** Ends the run. The exception keeps the code from going on until the worker is terminated. */
  #exceed(limit: ExceededLimit, what: string): never {
    this.#end({ type: 'failed', failure: { kind: 'limit', limit, message: `the code ${what}` } })
    throw new RangeError(`the code ${what}`)
  }

  #end(message: FromWorker): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#post(message)
  }
}

const stuckFailure: CodeFailure = {
  kind: 'stuck',
  message: 'the code waits for a promise that nothing settles; await the calls of tools only',
}

function textOf(handle: JSValueHandle): string {
  return handle.isString ? handle.toString() : ''
}

function failureOf(error: unknown): CodeFailure {
  if (error instanceof TypeScriptError)
    return { kind: 'syntax', message: `SyntaxError: ${error.message}`, line: error.line }
  if (!(error instanceof JSException)) return { kind: 'error', message: String(error) }
  return namedFailure(error.name, error.message, error.stack)
}

function describedFailure(text: string): CodeFailure {
  const { name, message = '', stack }: Readonly<Record<string, string | undefined>> = JSON.parse(text)
  return namedFailure(name, message, stack)
}

function namedFailure(name: string | undefined, message: string, stack: string | undefined): CodeFailure {
  if (name === 'InternalError' && message === 'out of memory') return withLine(memoryFailure, stack)
  const kind = name === 'SyntaxError' ? 'syntax' : 'error'
  const text = name === undefined ? message : `${name}: ${message}`
  return withLine({ kind, message: text.slice(0, maxErrorCharacters) }, stack)
}

/** Adds the line of the code's own frame that is nearest to the error. */
function withLine(failure: CodeFailure, stack: string | undefined): CodeFailure {
  const line = /\bcode\.js:(\d{1,9})\b/.exec(stack ?? '')?.[1]
  return line === undefined ? failure : { ...failure, line: Number(line) }
}
