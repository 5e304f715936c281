/** The functions of the agent, the lockbox, the gateway and the hooks that take text. */
import * as agent from '@toolbridge/agent'
import * as gateway from '@toolbridge/gateway'
import * as lockbox from '@toolbridge/lockbox'

/** @type {import('../take.mjs').RowsOfEntries} */
export const rows = {
  '@toolbridge/agent': [
    { name: 'openModel', take: (text) => agent.openModel(text, { env: {} }) },
    {
      name: 'ModelError',
      take: (text) => new agent.ModelError('failed', text).toString(),
    },
  ],
  '@toolbridge/gateway': [
    { name: 'isOwnerId', take: gateway.isOwnerId },
    { name: 'parseCheckpoint', take: gateway.parseCheckpoint },
  ],
  '@toolbridge/lockbox': [
    { name: 'isDatabaseUrl', take: lockbox.isDatabaseUrl },
    { name: 'isStorable', take: (text) => lockbox.isStorable('owner', text) },
    { name: 'parseCheckpoint', take: lockbox.parseCheckpoint },
    {
      name: 'formatCheckpoint',
      take: (text) => lockbox.formatCheckpoint({ writer: text, count: 1, head: text }),
    },
  ],
}
