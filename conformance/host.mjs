/**
 * Runs command lines of the official suite in one process, one after the other: loading the suite takes longer than most
 * scenarios. The first argument is the path of the bundled suite.
 */
import { format } from 'node:util'

const { program } = await import(process.argv[2] ?? '')

process.on('message', (/** @type {string[]} */ args) => {
  void runCommandLine(args).then((exit) => process.send?.(exit))
})
process.send?.('ready')

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, output: string }>}
 */
async function runCommandLine(args) {
  let code = /** @type {number | undefined} */ (undefined)
  let [stdout, output] = ['', '']
  const log = (/** @type {unknown[]} */ ...parts) => {
    stdout += `${format(...parts)}\n`
    output += `${format(...parts)}\n`
  }
  const error = (/** @type {unknown[]} */ ...parts) => (output += `${format(...parts)}\n`)
  Object.assign(console, { log, error })
  // The suite ends its process after each command line; what follows then must not run. Only the first code counts: the
  // suite catches the exception like any other.
  process.exit = (status) => {
    code ??= Number(status ?? 0)
    throw new Error('exit')
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (code === undefined) output += format(error)
    code ??= 1
  }
  return { code: code ?? 0, stdout, output }
}
