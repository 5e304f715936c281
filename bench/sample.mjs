/** The process of one sample: does what its measure says with one client and prints the numbers as a line of JSON. */

const job = JSON.parse(process.argv[2] ?? '{}')
try {
  const { sample } = await import(`./measures/${job.module}.mjs`)
  const values = await sample(job)
  // Some clients leave a timer or a socket behind; the numbers are in, so nothing waits for those.
  process.stdout.write(`${JSON.stringify(values)}\n`, () => process.exit(0))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
}
