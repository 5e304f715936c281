import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Since Node 22.1. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown
}

/**
 * Lets Node keep the compiled code of the modules that are loaded from now on. In a folder of the user's own: in a
 * shared temporary folder, Node's default, another user could put code there for this process to run.
 */
export function enableCodeCache(env: Readonly<Record<string, string | undefined>>): void {
  const { enableCompileCache }: CompileCache & typeof module = module
  enableCompileCache?.(join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'toolbridge', 'node'))
}
