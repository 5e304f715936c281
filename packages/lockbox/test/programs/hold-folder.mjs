// Takes the folder's lock on each line of standard input and says how that went. Ends with its input, holding on.
import { createInterface } from 'node:readline'
import { takeFolderLock } from '../../dist/database/folder-lock.js'

for await (const _ of createInterface(process.stdin)) {
  const outcome = await takeFolderLock(process.argv[2]).then(
    () => 'held',
    (error) => error.code,
  )
  process.stdout.write(`${outcome}\n`)
}
