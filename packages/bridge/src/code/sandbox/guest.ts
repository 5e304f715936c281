/** Longer messages of errors are cut. */
export const maxErrorCharacters = 2_000

/**
 * Runs inside the sandbox before the code, which cannot change what this function has kept. Takes the functions of the
 * host, defines `tools` and `console`, and returns a function that reports how the code's promise settles.
 *
 * `call(name, args)` returns a promise of a JSON text; `log(text)`; `returned(text)`; `failed(text)`.
 */
export const guestProgram: string = `(call, log, returned, failed, names) => {
  'use strict'
  const { stringify, parse } = JSON
  const { apply } = Reflect
  const { then } = Promise.prototype
  const { isArray } = Array
  const { slice } = String.prototype
  const { create, freeze, defineProperty } = Object
  const toText = String

  const shown = (value) => {
    if (typeof value === 'string') return value
    try {
      return value instanceof Error ? toText(value) : (stringify(value) ?? toText(value))
    } catch {
      return toText(value)
    }
  }
  const write = (...values) => {
    let line = ''
    for (let index = 0; index < values.length; index += 1) line += (index > 0 ? ' ' : '') + shown(values[index])
    log(line)
  }
  const cut = (value) => apply(slice, toText(value), [0, ${maxErrorCharacters}])
  // Without a prototype, the code cannot give them a method toJSON.
  const describe = (error) => {
    if (!(error instanceof Error)) return { __proto__: null, message: cut(shown(error)) }
    return { __proto__: null, name: cut(error.name), message: cut(error.message), stack: cut(error.stack) }
  }
  const isArguments = (args) => typeof args === 'object' && args !== null && !isArray(args)
  const toolOf = (name) => (args = {}) => {
    if (!isArguments(args)) throw new TypeError(name + ' takes one object with its arguments')
    return apply(then, call(name, stringify(args)), [(text) => (text === '' ? undefined : parse(text))])
  }

  const tools = create(null)
  for (const name of parse(names)) defineProperty(tools, name, { value: toolOf(name), enumerable: true })
  const own = { tools: freeze(tools), console: freeze({ log: write, info: write, warn: write, error: write, debug: write }) }
  for (const name in own) defineProperty(globalThis, name, { value: own[name] })

  const settled = (report) => (value) => {
    try {
      report(value)
    } catch (error) {
      failed(stringify({ __proto__: null, message: 'the returned value is not JSON: ' + cut(shown(error)) }))
    }
  }
  return (promise) => {
    apply(then, promise, [
      settled((value) => returned(stringify(value) ?? '')),
      settled((error) => failed(stringify(describe(error)))),
    ])
  }
}`
