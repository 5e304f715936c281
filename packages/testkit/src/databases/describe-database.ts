import { afterAll, beforeAll, describe } from 'vitest'
import { openPgliteFromImage, preparePgliteImage } from './pglite-image.ts'
import { startPostgres } from './postgres.ts'

/** Creates locations for `openLockbox`: each is new, has no key, and is removed after the suite. */
export interface TestDatabases {
  readonly engine: 'PGlite' | 'PostgreSQL'
  location(): Promise<string>
}

/** Runs one suite against every engine: PGlite in a folder and a real PostgreSQL. */
export function describeDatabase(promise: string, suite: (databases: TestDatabases) => void): void {
  describe(`${promise} (PGlite)`, () => describePglite(suite))
  describe(`${promise} (PostgreSQL)`, () => describePostgres(suite))
}

function describePglite(suite: (databases: TestDatabases) => void): void {
  const folders: { close(): Promise<void> }[] = []
  beforeAll(async () => void (await preparePgliteImage()))
  afterAll(() => Promise.all(folders.map((folder) => folder.close())))
  suite({
    engine: 'PGlite',
    async location() {
      const folder = await openPgliteFromImage()
      folders.push(folder)
      return folder.location
    },
  })
}

function describePostgres(suite: (databases: TestDatabases) => void): void {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.close())
  suite({
    engine: 'PostgreSQL',
    async location() {
      if (!server)
        throw new Error('the server starts in beforeAll: ask for a location in a test or a later hook')
      return server.createDatabase()
    },
  })
}
