// Opens the lockbox in a folder, saves a setting, says so, and closes when its standard input ends.
import { once } from 'node:events'
import { openKeyring, openLockbox } from '../../dist/index.js'

const [location, key] = process.argv.slice(2)
const lockbox = await openLockbox({ location, keyring: await openKeyring({ key }) })
await lockbox.settings.save('ann', { namespace: 'mcp', name: 'servers' }, 'acknowledged')
process.stdout.write('saved\n')
await once(process.stdin.resume(), 'end')
await lockbox.close()
