// Hooks of Node's module loader, for a program and the modules that it imports. Node runs them in a thread of their own.
import { readFile } from 'node:fs/promises'
import type { InitializeHook, LoadFnOutput, LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { TypeScriptError, withoutTypes } from '@toolbridge/bridge/typescript'
import type { ScriptHooksData } from './script-hooks-data.ts'

/** Node passes it once, before the first module. */
let loaded: ScriptHooksData['loaded'] | undefined

export const initialize: InitializeHook<ScriptHooksData> = (data) => {
  ;({ loaded } = data)
}

/** Tries what else a specifier can mean if Node finds nothing. */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  try {
    return await nextResolve(specifier, context)
  } catch (error) {
    if (isTypeScript(context.parentURL ?? '') && compiledPath.test(specifier))
      // The file that the program names is the one that is missing.
      return orElse(error, () => nextResolve(specifier.replace(compiledPath, '$1.$2ts'), context))
    // A program may use the packages of the command without an installation of its own.
    if (ownPackages.test(specifier)) return nextResolve(specifier, { ...context, parentURL: import.meta.url })
    throw error
  }
}

async function orElse<T>(error: unknown, attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch {
    throw error
  }
}

/** `./a.js` in TypeScript is `./a.ts` before it is compiled. */
const compiledPath = /^(\.{0,2}\/.*)\.(m?)js$/

const ownPackages = /^@toolbridge\/(?:agent|bridge|client)(?:\/|$)/

/** TypeScript becomes JavaScript. Everything else is loaded as it is. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const output = isTypeScript(url) ? await loadTypeScript(url) : await nextLoad(url, context)
  if (output.format === 'module') loaded?.postMessage(url)
  return output
}

/** Whether a URL is that of a file in TypeScript. */
export function isTypeScript(url: string): boolean {
  return /^file:[^?#]*\.m?ts(?:[?#]|$)/.test(url)
}

async function loadTypeScript(url: string): Promise<LoadFnOutput> {
  const file = fileURLToPath(url)
  return { format: 'module', shortCircuit: true, source: compiled(await readFile(file, 'utf8'), file) }
}

/** Removes the types from a module. Throws a `SyntaxError` that begins with the location. */
export function compiled(code: string, file: string): string {
  try {
    return withoutTypes(code)
  } catch (error) {
    throw error instanceof TypeScriptError
      ? new SyntaxError(`${file}:${error.line}: ${error.message}`)
      : error
  }
}
