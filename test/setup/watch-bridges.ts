import { watchBridges } from '../../packages/bridge/test/journal/canary/watch.ts'

// Evaluated once per worker, like the other watchers.
await watchBridges()
