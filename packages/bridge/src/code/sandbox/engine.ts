import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** QuickJS as compiled WebAssembly. Worker threads share the compiled code, and no memory. */
export type Engine = object

/** Part of every Node, but not of the libraries that this package is compiled with. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<Engine> }

/** Compiles QuickJS. */
export async function compileEngine(): Promise<Engine> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  return WebAssembly.compile(await readFile(file))
}
