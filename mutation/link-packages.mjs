/** Runs in the copy of the repository: its packages import each other, not the originals. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'

mkdirSync('node_modules/@toolbridge', { recursive: true })
for (const name of readdirSync('packages'))
  symlinkSync(`../../packages/${name}`, `node_modules/@toolbridge/${name}`)
