import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, resolve } from 'node:path'

/** The environment and folder in which a program would start. */
export interface ProgramContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: string
}

/** Finds the file that a command starts, as the operating system does, without running it. */
export async function findProgram(command: string, context: ProgramContext): Promise<string | undefined> {
  for (const path of pathsOf(command, context)) if (await isProgram(path)) return path
  return undefined
}

function pathsOf(command: string, context: ProgramContext): readonly string[] {
  const isPath = isAbsolute(command) || command.includes('/') || isWindowsPath(command, context)
  const folders = isPath ? [''] : searchPath(context)
  return folders.flatMap((folder) =>
    extensionsOf(command, context).map((extension) => resolve(context.cwd, folder, command + extension)),
  )
}

function isWindowsPath(command: string, { platform }: ProgramContext): boolean {
  return platform === 'win32' && command.includes('\\')
}

/** POSIX systems search these folders if `PATH` is not set. */
const defaultPath = '/usr/bin:/bin'

function searchPath({ env, platform }: ProgramContext): readonly string[] {
  const name = Object.keys(env).find((each) => (platform === 'win32' ? each.toUpperCase() : each) === 'PATH')
  const path = name === undefined ? defaultPath : (env[name] ?? '')
  return path.split(delimiter).filter((folder) => folder !== '')
}

function extensionsOf(command: string, { env, platform }: ProgramContext): readonly string[] {
  if (platform !== 'win32') return ['']
  const extensions = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((each) => each !== '')
  const isComplete = extensions.some((each) => command.toUpperCase().endsWith(each.toUpperCase()))
  return isComplete ? [''] : extensions.map((each) => each.toLowerCase())
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
