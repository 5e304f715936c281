// Creates a lockbox in a folder and is killed while it writes the files of the database.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { openLockbox } from '../../dist/index.js'

const { writeFileSync } = fs
let files = 0
fs.writeFileSync = (...parameters) => {
  files += 1
  if (files === 100) process.kill(process.pid, 'SIGKILL')
  writeFileSync(...parameters)
}
syncBuiltinESMExports()

const [location, key] = process.argv.slice(2)
await openLockbox({ location, keyring: { key } })
