/** The process of one sample: runs its measure with one client and prints the numbers as a line of JSON. */

const job = JSON.parse(process.argv[2] ?? '{}')
try {
  const { sample } = await import(`./measures/${job.module}.mjs`)
  const values = await sample(job)
  // Exits explicitly: some clients leave a timer or a socket open.
  process.stdout.write(`${JSON.stringify(values)}\n`, () => process.exit(0))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
}
