/** Measures rows in a process of its own: reads a line with a row and a kind for each, and prints how it grows. */
import { createInterface } from 'node:readline'
import { commandRows, runCommand } from './commands.mjs'
import { functions } from './functions/all.mjs'
import { kinds } from './kinds.mjs'
import { takeMeasured, takeRow } from './take.mjs'

/** Of a configuration. */
const maxFileSize = 16 * 1024 * 1024
const startNoiseMs = 20
/** More than for functions: the first milliseconds of a command are those of its start. */
const mostMs = 8_000

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { entry, name, kind, command } = JSON.parse(line)
  const row = entry === undefined ? undefined : functions[entry]?.find((each) => each.name === name)
  const growth = row === undefined ? await takeCommand(command, kind) : await takeRow(row, kind)
  process.stdout.write(`${JSON.stringify(growth ?? {})}\n`)
}

/**
 * The time of a command with a small file is that of its start.
 *
 * @param {number} index
 * @param {string} kind
 */
async function takeCommand(index, kind) {
  const row = commandRows[index]
  if (row === undefined) throw new RangeError(`there is no command ${index}`)
  const startMs = Math.min(await runCommand(row, '{}'), await runCommand(row, '{}'))
  return takeMeasured(
    largestText(row, kind),
    async (size) => {
      const text = kinds[kind]?.(size) ?? ''
      // Starts differ by more than what is measured.
      const milliseconds = Math.min(await runCommand(row, text), await runCommand(row, text))
      return Math.max(0, milliseconds - startMs - startNoiseMs)
    },
    mostMs,
  )
}

/**
 * The characters of the longest text with which the file of a command is not too large to be read.
 *
 * @param {import('./commands.mjs').CommandRow} row
 * @param {string} kind
 */
function largestText({ write = (text) => text }, kind) {
  const bytes = Buffer.byteLength(write(kinds[kind]?.(maxFileSize) ?? ''))
  return bytes <= maxFileSize ? maxFileSize : Math.floor(maxFileSize * (maxFileSize / bytes)) - 256
}
