import type { Terminal } from './terminal.ts'

type Paint = (text: string) => string

/** Wraps text in the escape codes of a color or weight, or returns it as it is where colors are off. */
export interface Colors {
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly bold: Paint
  readonly dim: Paint
}

const escape = '\u001b'

/** The sequences that `colorsFor` writes. */
const sequences = new RegExp(`(${escape}\\[(?:1|2|22|31|32|33|36|39)m)`)

/** Changes the text of a line, but not the sequences of `colorsFor` in it. */
export function mapUncolored(line: string, change: Paint): string {
  return line
    .split(sequences)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/** Colors for one stream: on for a terminal, unless `NO_COLOR` is set to anything but an empty string. */
export function colorsFor({ env }: Terminal, stream: { readonly isTTY?: boolean }): Colors {
  const isOn = stream.isTTY === true && (env['NO_COLOR'] ?? '') === ''
  const paint = (open: number, close: number): Paint =>
    isOn ? (text) => `${escape}[${open}m${text}${escape}[${close}m` : (text) => text
  return {
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    bold: paint(1, 22),
    dim: paint(2, 22),
  }
}
