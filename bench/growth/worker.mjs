/** Measures rows in a process of its own: reads a line with a row and a kind for each, and prints how it grows. */
import { createInterface } from 'node:readline'
import { commandRows, runCommand } from './commands.mjs'
import { functions } from './functions/all.mjs'
import { kinds } from './kinds.mjs'
import { takeMeasured, takeRow } from './take.mjs'

/** Of a configuration. */
const maxFileSize = 16 * 1024 * 1024
const startNoiseMs = 20

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
  return takeMeasured(maxFileSize, async (size) => {
    const milliseconds = await runCommand(row, kinds[kind]?.(size) ?? '')
    return Math.max(0, milliseconds - startMs - startNoiseMs)
  })
}
