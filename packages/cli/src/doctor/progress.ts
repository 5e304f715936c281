import { type Stage, type StageResult, stages } from '@toolbridge/bridge/doctor'
import { printable } from '@toolbridge/client/internal'
import type { Terminal } from '../terminal.ts'

/** Shows on a terminal which stage each server is in: one line per server, removed at the end. Silent elsewhere. */
export class Progress implements Disposable {
  readonly #stderr: Terminal['stderr'] & { readonly columns?: number; readonly rows?: number }
  readonly #lines: Map<string, string>
  #isShown = false
  #isOn: boolean

  constructor({ stderr }: Terminal, servers: readonly string[]) {
    this.#stderr = stderr
    this.#isOn = stderr.isTTY === true
    this.#lines = new Map(servers.map((server) => [server, 'waiting']))
  }

  /** Updates the line of a server. */
  passed({ server, stage, outcome, code }: StageResult): void {
    if (server === undefined || !this.#lines.has(server) || outcome === 'skipped') return
    this.#lines.set(server, outcome === 'error' ? `failed: ${code}` : `${stageAfter(stage)} …`)
    this.#draw()
  }

  /** Removes the lines, for a question to the user; they do not return. */
  stop(): void {
    this.#erase()
    this.#isOn = false
  }

  [Symbol.dispose](): void {
    this.stop()
  }

  #draw(): void {
    if (!this.#isOn) return
    this.#erase()
    const { columns = 80, rows = 24 } = this.#stderr
    const shown = [...this.#lines].slice(0, rows - 2)
    const lines = shown.map(([server, text]) => printable(`${server}: ${text}`).slice(0, columns - 1))
    this.#stderr.write(`${lines.join('\n')}\n`)
    this.#isShown = true
  }

  #erase(): void {
    if (!this.#isShown) return
    const { rows = 24 } = this.#stderr
    this.#stderr.write(`\u001b[${Math.min(this.#lines.size, rows - 2)}A\u001b[0J`)
    this.#isShown = false
  }
}

function stageAfter(stage: Stage): string {
  return stages[stages.indexOf(stage) + 1] ?? 'done'
}
