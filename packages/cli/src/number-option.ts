import { type Options, textOption } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Reads an option with a decimal number, such as 30 or 0.5. Throws, with what is expected, if it is none or not valid. */
export function numberOption(
  options: Options,
  name: string,
  expected: string,
  isValid: (value: number) => boolean,
): number | undefined {
  const text = textOption(options, name)
  if (text === undefined) return undefined
  const value = /^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value) && isValid(value)) return value
  throw new UsageError(`invalid --${name} "${text}": expected ${expected}`)
}

/** Whether a value is a whole number from `least` to `most`, for `numberOption`. */
export function isWhole(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= least && value <= most
}
