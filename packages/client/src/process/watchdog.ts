import type { ChildProcess } from 'node:child_process'
import { nodeBuiltin } from '../runtime/node-builtins.ts'

/**
 * Reads which groups to watch. The end of its input means that this process is gone, however it ended: then the groups
 * and all that carries the tag are given a moment to notice by themselves, SIGTERM, and SIGKILL. Where there is no /proc
 * the tag finds nothing.
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
  # Twice: what one look missed was started by something that ended during it.
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
 * One small shell that outlives this process to end its servers, even after SIGKILL. It runs while there is a group to
 * watch, and holds nothing open.
 */
export class Watchdog {
  readonly #tag: string
  readonly #groups = new Set<number>()
  #shell: ChildProcess | undefined

  /** `tag` is what the environment of every server of this process contains. */
  constructor(tag: string) {
    this.#tag = tag
  }

  /** The shell's process, while there is a group to watch. */
  get pid(): number | undefined {
    return this.#shell?.pid
  }

  /** Watches a group from now on; `onUnguarded` hears why that is not possible. */
  add(group: number, onUnguarded: (reason: string) => void): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start(onUnguarded)
    else this.#tell(`add ${group}\n`)
  }

  remove(group: number): void {
    if (!this.#groups.delete(group)) return
    if (this.#groups.size > 0) return this.#tell(`remove ${group}\n`)
    // The end of input with nothing left to watch.
    this.#shell?.stdin?.end(`remove ${group}\n`)
    this.#shell = undefined
  }

  #start(onUnguarded: (reason: string) => void): void {
    try {
      this.#shell = this.#watched(spawnShell(this.#tag), onUnguarded)
      this.#tell([...this.#groups].map((each) => `add ${each}\n`).join(''))
    } catch (error) {
      // The server is running already; it must not be lost because its watchdog cannot run.
      onUnguarded(String(error))
    }
  }

  /** When it ends before its time, the next server gets a new one, which is told of all groups. */
  #watched(shell: ChildProcess, onUnguarded: (reason: string) => void): ChildProcess {
    const forget = (reason: string): void => {
      if (this.#shell !== shell) return
      this.#shell = undefined
      onUnguarded(reason)
    }
    shell.on('error', ({ message }) => forget(message))
    shell.on('exit', () => forget('the watchdog ended'))
    return shell
  }

  #tell(lines: string): void {
    this.#shell?.stdin?.write(lines)
  }
}

function spawnShell(tag: string): ChildProcess {
  const { spawn } = nodeBuiltin('node:child_process')
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'toolbridge-watchdog', tag], {
    // Without the tags that this process may carry itself: what ends this process must not end the watchdog.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const { stdin } = shell
  // It has ended, which its exit tells as well.
  stdin.on('error', () => undefined)
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  shell.unref()
  return shell
}
