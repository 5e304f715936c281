import { windowsVariable } from './windows-spawn-plan.ts'

type Environment = Readonly<Record<string, string | undefined>>

const POSIX_NAMES = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
]

const WINDOWS_NAMES = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

/**
 * Selects the environment variables that a program needs to run. Leaves out any that may contain a secret or change the
 * runtime (`NODE_OPTIONS`, `PYTHONHOME`, `LD_PRELOAD`).
 */
export function safeEnv(environment: Environment, platform: string): Record<string, string> {
  return platform === 'win32'
    ? chosen(WINDOWS_NAMES, (name) => windowsVariable(environment, name))
    : chosen(POSIX_NAMES, (name) => environment[name])
}

function chosen(
  names: readonly string[],
  valueOf: (name: string) => string | undefined,
): Record<string, string> {
  const safe: Record<string, string> = {}
  names.forEach((name) => {
    const value = valueOf(name)
    // Old shells export functions as such values; a child shell would execute them.
    if (value?.startsWith('()') === false) safe[name] = value
  })
  return safe
}

/** Merges environments. On Windows the case of names is ignored: `above` overrides `Path` with `PATH`. */
export function overlayWindowsEnv(
  below: Readonly<Record<string, string>>,
  above: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(above).map((name) => name.toUpperCase()))
  const kept = Object.entries(below).filter(([name]) => !names.has(name.toUpperCase()))
  return { ...Object.fromEntries(kept), ...above }
}
