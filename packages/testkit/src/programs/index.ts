/** Programs that tests start. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The first line that a program prints. Rejects with the end of its standard error if it ends without one. */
export async function firstLineOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the standard output is not a pipe')
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4_000)
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    throw new Error(
      `the program ended with ${String(code ?? signal)} before it printed a line: ${complaints}`,
    )
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
  return String(line)
}
