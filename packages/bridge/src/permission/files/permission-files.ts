import { basename, dirname, extname, join } from 'node:path'
import { toolbridgeFolder } from '../control-files/path-like.ts'

/**
 * Returns the paths at which rules beside a configuration file are searched: `permissions.json` in a `.toolbridge` folder,
 * `<name>.permissions.json` beside any other file, and also core-agent's `config.json` beside its `mcp.json`.
 */
export function permissionFilesBeside(configFile: string): readonly string[] {
  const folder = dirname(configFile)
  const stem = basename(configFile, extname(configFile))
  const own = basename(folder) === toolbridgeFolder ? 'permissions.json' : `${stem}.permissions.json`
  const settings = join(folder, 'config.json')
  return [join(folder, own), ...(isCoreAgentFile(settings) ? [settings] : [])]
}

/** Returns whether a path is that of core-agent's settings. */
export function isCoreAgentFile(file: string): boolean {
  return basename(file) === 'config.json' && basename(dirname(file)) === '.agents'
}
