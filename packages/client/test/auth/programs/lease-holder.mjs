/**
 * Takes the lease on one set of tokens: `node lease-holder.mjs hold <folder> <key>` says `held` and keeps it until its
 * standard input ends; `count <folder> <key> <file> <rounds>` adds one to the number in a file again and again, which
 * only comes out right if nobody else holds the lease meanwhile.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileAuthStore } from '@toolbridge/client/auth-node'

const [, , verb, folder = '', keyText = '{}', file = '', rounds = '0'] = process.argv
const store = fileAuthStore({ folder })
const key = JSON.parse(keyText)

if (verb === 'hold') {
  await store.lease(key, async () => {
    process.stdout.write('held\n')
    await text(process.stdin)
  })
} else {
  for (let round = 0; round < Number(rounds); round++) {
    await store.lease(key, async () => {
      const count = Number(await readFile(file, 'utf8'))
      await new Promise((resolve) => setImmediate(resolve))
      await writeFile(file, String(count + 1))
    })
  }
}
process.stdout.write('done\n')
