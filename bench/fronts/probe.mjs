/**
 * Preloaded into a front: tells the benchmark, over the channel between their processes, what the process has used so far. The
 * channel does not keep the process running.
 *
 * @typedef {{ cpuMicros: number, heapBytes: number, rssBytes: number }} Usage
 */
process.on('message', () => {
  // Twice: the first collection may leave what finalizers release.
  globalThis.gc?.()
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ cpuMicros: user + system, heapBytes: heapUsed + external, rssBytes: rss })
})
process.channel?.unref()
