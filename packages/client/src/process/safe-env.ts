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
 * What a program needs to run at all, and nothing that could carry a secret or bend its runtime (`NODE_OPTIONS`,
 * `PYTHONHOME`, `LD_PRELOAD`).
 */
export function safeEnv(environment: Environment, platform: string): Record<string, string> {
  const names = platform === 'win32' ? WINDOWS_NAMES : POSIX_NAMES
  const entries = names.flatMap((name) => {
    const value = environment[name]
    // Old shells export functions as values that begin like this; a child shell would run them.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
