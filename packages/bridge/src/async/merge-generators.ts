/**
 * Yields the values of several generators as they come and returns what they returned, in their order. If the consumer stops early
 * or one of them fails, calls `stop`, which should end what the others wait for, and closes them.
 */
export async function* mergeGenerators<T, R>(
  generators: readonly AsyncGenerator<T, R>[],
  stop: () => void,
): AsyncGenerator<T, readonly R[]> {
  const returned: R[] = []
  const pending = new Map(generators.map((generator, index) => [index, pull(generator, index)]))
  try {
    while (pending.size > 0) {
      const { index, generator, next } = await Promise.race(pending.values())
      if (next.done === true) {
        pending.delete(index)
        returned[index] = next.value
      } else {
        pending.set(index, pull(generator, index))
        yield next.value
      }
    }
    return returned
  } finally {
    stop()
    await Promise.allSettled(pending.values())
    await Promise.allSettled(generators.map((generator) => generator.return(undefined as R)))
  }
}

interface Pulled<T, R> {
  readonly index: number
  readonly generator: AsyncGenerator<T, R>
  readonly next: IteratorResult<T, R>
}

async function pull<T, R>(generator: AsyncGenerator<T, R>, index: number): Promise<Pulled<T, R>> {
  return { index, generator, next: await generator.next() }
}
