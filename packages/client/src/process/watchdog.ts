import type { ChildProcess } from 'node:child_process'
import { nodeBuiltin } from '../runtime/node-builtins.ts'

/**
 * Reads the groups to watch from its input. The end of the input means that this process ended: then the groups, and all
 * processes with the tag, get a moment to exit, then SIGTERM, then SIGKILL. Without /proc the tag finds nothing.
 */
const SCRIPT = `
tag=$1 groups=
while read -r verb group; do
  rest=
  for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done
  groups=$rest
  [ "$verb" = add ] && groups="$groups $group"
done
[ -n "$groups" ] || exit 0
escaped() {
  for file in $(grep -lsF -e "$tag" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    echo "\${file%/environ}"
  done
}
living() {
  for each in $groups; do kill -0 -- "-$each" && return 0; done
  [ -n "$(escaped)" ]
}
wait_for_end() {
  tries=$1
  # Twice: a process that the first check missed was started by one that ended during it.
  while living || living; do
    [ "$tries" -gt 0 ] || return 1
    tries=$((tries - 1))
    sleep 0.1 || sleep 1
  done
}
send() {
  for each in $groups; do kill "-$1" -- "-$each"; done
  for each in $(escaped); do kill "-$1" "$each"; done
}
wait_for_end 3 && exit
send TERM
wait_for_end 15 && exit
for again in 1 2 3 4 5; do
  send KILL
  wait_for_end 1 && exit
done
`

/**
 * A shell process that stops the servers when this process ends, even by SIGKILL. It runs while there is a group to
 * watch and does not keep this process alive.
 */
export class Watchdog {
  readonly #tag: string
  readonly #groups = new Set<number>()
  #shell: ChildProcess | undefined

  /** `tag` is contained in the environment of each server of this process. */
  constructor(tag: string) {
    this.#tag = tag
  }

  /** Id of the shell process, while there is a group to watch. */
  get pid(): number | undefined {
    return this.#shell?.pid
  }

  /** Starts watching a group; `onUnguarded` receives the reason if that is not possible. */
  add(group: number, onUnguarded: (reason: string) => void): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start(onUnguarded)
    else this.#tell(`add ${group}\n`)
  }

  remove(group: number): void {
    if (!this.#groups.delete(group)) return
    if (this.#groups.size > 0) return this.#tell(`remove ${group}\n`)
    // Ends the shell, which has nothing left to watch.
    this.#shell?.stdin?.end(`remove ${group}\n`)
    this.#shell = undefined
  }

  #start(onUnguarded: (reason: string) => void): void {
    try {
      this.#shell = this.#observe(spawnShell(this.#tag), onUnguarded)
      this.#tell([...this.#groups].map((each) => `add ${each}\n`).join(''))
    } catch (error) {
      // The server is running already; it must not fail because the watchdog cannot run.
      onUnguarded(String(error))
    }
  }

  /** If the shell ends early, the next server starts a new one, which watches all groups. */
  #observe(shell: ChildProcess, onUnguarded: (reason: string) => void): ChildProcess {
    const drop = (reason: string): void => {
      if (this.#shell !== shell) return
      this.#shell = undefined
      onUnguarded(reason)
    }
    shell.on('error', ({ message }) => drop(message))
    shell.on('exit', () => drop('the watchdog ended'))
    return shell
  }

  #tell(lines: string): void {
    this.#shell?.stdin?.write(lines)
  }
}

function spawnShell(tag: string): ChildProcess {
  const { spawn } = nodeBuiltin('node:child_process')
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'toolbridge-watchdog', tag], {
    // Without the tag of this process, if it has one: the stop of this process must not stop the watchdog.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const { stdin } = shell
  // The shell has ended, which its exit event reports.
  stdin.on('error', () => undefined)
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  shell.unref()
  return shell
}
