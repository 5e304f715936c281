/** A process that runs the client under test, one scenario after another. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('client.mjs', import.meta.url))
const relay = fileURLToPath(new URL('relay.sh', import.meta.url))

export class ClientProcess {
  #child
  #folder
  #exited

  /** Starts the process. */
  static start() {
    const folder = mkdtempSync(join(tmpdir(), 'toolbridge-conformance-client-'))
    const pipes = [join(folder, 'requests'), join(folder, 'results')]
    execFileSync('mkfifo', pipes)
    const child = spawn(process.execPath, [program, ...pipes], { stdio: ['ignore', 'inherit', 'inherit'] })
    return new ClientProcess(child, folder)
  }

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} folder
   */
  constructor(child, folder) {
    this.#child = child
    this.#folder = folder
    this.#exited = once(child, 'exit')
  }

  /** The command line that runs a scenario; the suite appends the URL. With `exec`, the suite ends the whole of it. */
  get command() {
    return `exec sh ${relay} ${join(this.#folder, 'requests')} ${join(this.#folder, 'results')}`
  }

  /**
   * Lets the process exit and throws unless it does, by itself and with code 0.
   *
   * @param {number} timeoutMs
   */
  async end(timeoutMs) {
    const timer = setTimeout(() => this.kill(), timeoutMs)
    if (this.#child.exitCode === null) await writeFile(join(this.#folder, 'requests'), '')
    const [code] = await this.#exited
    clearTimeout(timer)
    this.kill()
    if (code !== 0)
      throw new Error(`the client did not exit by itself with code 0 after its scenarios: ${code}`)
  }

  kill() {
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
