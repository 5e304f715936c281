import { afterAll, expect } from 'vitest'

// Other packages have no canaries, and need not load the bridge.
if (expect.getState().testPath?.includes('/packages/bridge/test/') === true) {
  const { takeLeaks, watchEverything } = await import('./watch.ts')
  await watchEverything()
  afterAll(() => expect(takeLeaks(), 'secrets that the bridge let out in this file').toEqual([]))
}
