import { describe } from 'vitest'
import { describeEverything } from './describe-everything.ts'
import { officialServers } from './official-servers.ts'

describe('the official example server over stdio', () => {
  describeEverything(() => ({ command: process.execPath, args: [officialServers.everything, 'stdio'] }))
})
