#!/usr/bin/env node
// Runs a program of the testkit: built, this file has its name. The code of all programs is in one file, and beside the
// program is what V8 has compiled of it.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const folder = new URL('..', import.meta.url)
const name = import.meta.url.slice(folder.href.length, -'.js'.length)
const filename = fileURLToPath(new URL('programs.cjs', folder))
const stored = fileURLToPath(new URL(`${name}${process.argv.includes('--http') ? '.http' : ''}.code`, folder))
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  ...(existsSync(stored) ? { cachedData: readFileSync(stored) } : {}),
})
const exports = {}
script.runInThisContext()(createRequire(import.meta.url), exports)
void exports.programs[name]()

// The build asks for the compiled code when the program has run for a while.
process.on('message', () => process.send(script.createCachedData(), () => process.disconnect()))
if (process.channel) process.channel.unref()
