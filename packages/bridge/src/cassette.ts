/** Recorded traffic with servers: recording, replaying and comparing with the live server. */

export {
  type Cassette,
  CassetteError,
  type RecordedConnection,
  type RecordedEra,
  type RecordedMessage,
  type RecordedServer,
} from './cassette/cassette.ts'
export { parseCassette, readCassette } from './cassette/read-cassette.ts'
export { type RecordOptions, recordCassette } from './cassette/record-cassette.ts'
export { type ReplayOptions, replayServer, replayTransport } from './cassette/replay-transport.ts'
export type { Difference } from './cassette/compare-values.ts'
export { type Drift, type DriftOptions, type DriftReport, findDrift } from './cassette/drift.ts'
export type { LiveServerOptions } from './cassette/live-server.ts'
