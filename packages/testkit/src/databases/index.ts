export { describeDatabase, type TestDatabases } from './describe-database.ts'
export {
  briefPgliteArguments,
  copyPgliteImage,
  openPgliteFromImage,
  type PgliteFolder,
  preparePgliteImage,
} from './pglite-image.ts'
export { type PostgresServer, sharedPostgres, startPostgres, stoppedPostgresUrl } from './postgres.ts'
