/**
 * A process of one client in a measure. If the measure has phases, it stays for a round and takes a slice of each phase
 * that it reads a line with; else it takes one sample. It prints numbers as lines of JSON.
 */
import { createInterface } from 'node:readline'

const job = JSON.parse(process.argv[2] ?? '{}')
try {
  const { open, sample } = await import(`./measures/${job.module}.mjs`)
  if (job.hasPhases) await answer(await open(job))
  else await print(await sample(job))
  // Some clients leave a timer or a socket open.
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
}

/** @param {import('./rounds.mjs').Opened} opened */
async function answer({ take, close }) {
  const phases = createInterface({ input: process.stdin })
  await print({})
  for await (const phase of phases) await print(await take(phase))
  await close()
}

/** @param {import('./slices.mjs').Slice} values */
async function print(values) {
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(values)}\n`, resolve))
}
