import { isAbsolute } from 'node:path'
import type { Issue } from '@toolbridge/bridge/config'

/** Runs the programs of saved servers as another user. */
export interface SandboxOptions {
  /**
   * Program and arguments in front of every saved command, such as `setpriv`. It must change the user id, and pass on the
   * environment and the standard streams.
   */
  readonly command: readonly string[]
  /** Commands that may be saved: the program with all its arguments. */
  readonly allow: readonly (readonly string[])[]
  /** Names of the environment variables that may be saved. Default: none. */
  readonly env?: readonly string[]
}

/** Returns what is wrong with the options. */
export function sandboxIssues({ command, allow, env = [] }: SandboxOptions): readonly Issue[] {
  return [
    ...(isCommand(command) ? [] : [issueAt('/command', 'the sandbox command is empty', commandFix)]),
    ...(allow.length > 0
      ? []
      : [issueAt('/allow', 'the sandbox has no command that may be saved', allowFix)]),
    ...allow.flatMap((words, index) =>
      isCommand(words) ? [] : [issueAt(`/allow/${index}`, notFixed, pathFix)],
    ),
    ...env.flatMap((name, index) =>
      isHarmless(name) ? [] : [issueAt(`/env/${index}`, `people may not set the variable "${name}"`, envFix)],
    ),
  ]
}

const commandFix = 'write a program that changes the user id, such as setpriv, and its arguments'
const allowFix = 'name each command that people may save, with all its arguments'
const notFixed = 'a relative path depends on the working directory'
const pathFix = 'write the absolute path of the program, or a name to search in PATH'
const envFix = 'name variables that the program itself reads, such as TAVILY_API_KEY'

/** A name to search in PATH, or an absolute path. */
function isCommand([program = '']: readonly string[]): boolean {
  return program !== '' && (!program.includes('/') || isAbsolute(program))
}

/**
 * Variables by which loaders, shells and interpreters run other code. The sandbox command gets them too, so they would take
 * effect before the user id changes.
 */
const loaderVariable =
  /^(?:LD_|DYLD_|GCONV_PATH$|GLIBC_TUNABLES$|MALLOC_|NODE_|NPM_|PYTHON|PERL|RUBY|JAVA_|_JAVA|JDK_JAVA|DOTNET_|COR_|CORECLR_|BASH|ENV$|SHELL|IFS$|PS4$|PATH$|HOME$|CDPATH$|GIT_|SSH_|EDITOR$|PAGER$|TOOLBRIDGE_)/i

function isHarmless(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !loaderVariable.test(name)
}

function issueAt(path: string, message: string, fix: string): Issue {
  return {
    code: 'sandbox_invalid',
    severity: 'error',
    file: 'gateway options',
    path: `/sandbox${path}`,
    message,
    fix,
  }
}
