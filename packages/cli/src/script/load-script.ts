import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ExitCode } from '../exit-code.ts'
import { importModule } from './import-module.ts'
import type { Script } from './script-context.ts'
import { ScriptError } from './script-error.ts'
import { LocatedSyntaxError } from './syntax-error.ts'

const extensions: readonly string[] = ['.ts', '.mts', '.js', '.mjs', '.cjs']

/** Loads a program, and returns its default export. Throws a `ScriptError`, or what the program throws while it is loaded. */
export async function loadScript(
  file: string,
  importProgram: (url: string) => Promise<unknown> = importModule,
): Promise<Script> {
  if (!extensions.includes(extname(file)))
    throw invalid(`${file}: expected a program in one of ${extensions.join(', ')}`)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true) throw invalid(`${file}: file not found`)
  const script = defaultOf(await importProgram(pathToFileURL(file).href).catch(rethrow))
  if (typeof script === 'function') return script as Script
  throw invalid(
    `${file}: no function is exported as default. Write: export default async ({ bridge }) => { … }`,
  )
}

function invalid(message: string): ScriptError {
  return new ScriptError(message, ExitCode.Config)
}

function defaultOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
}

/** Errors of Node's loader are about the program as a file; anything else is thrown by it. */
function rethrow(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  if (isMissing || error instanceof LocatedSyntaxError) throw invalid(error.message)
  throw error
}
