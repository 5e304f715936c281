// Completes package-lock.json with the platform packages that a registry mirror does not carry.
//
// npm drops an optional dependency from the lock file when it cannot look it up, and `npm ci` then refuses the lock
// file everywhere. The missing rows follow from their names: version of the parent, operating system, processor,
// C library. Run it after every `npm install` that changed the lock file; a test fails if it is needed.
import { readFileSync, writeFileSync } from 'node:fs'
import { missingPlatformPackages } from './platform-packages.mjs'

const file = 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = missingPlatformPackages(lock)
Object.assign(lock.packages, Object.fromEntries(missing))
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${missing.length} platform packages added to ${file}\n`)
