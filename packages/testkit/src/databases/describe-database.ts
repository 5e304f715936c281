import { afterAll, beforeAll, describe } from 'vitest'
import { openPgliteFromImage, preparePgliteImage } from './pglite-image.ts'
import { sharedPostgres } from './postgres.ts'

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
  beforeAll(async () => void (await sharedPostgres()))
  suite({
    engine: 'PostgreSQL',
    location: async () => (await sharedPostgres()).createDatabase(),
  })
}
