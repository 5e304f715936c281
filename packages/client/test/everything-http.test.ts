import { afterAll, beforeAll, describe } from 'vitest'
import { describeEverything } from './describe-everything.ts'
import { startEverythingOverHttp } from './official-servers.ts'

describe('the official example server over HTTP', () => {
  let server: Awaited<ReturnType<typeof startEverythingOverHttp>>

  beforeAll(async () => {
    server = await startEverythingOverHttp()
  })

  afterAll(() => server.close())

  describeEverything(() => ({ url: server.url }))
})
