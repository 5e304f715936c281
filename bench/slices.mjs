/**
 * Slices of a measure: short samples of all clients, taken alternately.
 *
 * @typedef {Readonly<Record<string, number>>} Slice What one client measured, by key.
 * @typedef {Readonly<Record<string, readonly number[]>>} Sample The slices of one client in one round, by key.
 */

/**
 * Takes slices of all clients alternately, in the given order and then in reverse, so that changes of the machine's
 * speed affect all of them alike. A client that fails is left out.
 *
 * @param {readonly string[]} clients
 * @param {number} count Slices of each client.
 * @param {(client: string) => Promise<Slice>} take
 * @param {(client: string, error: unknown) => void} onFailure
 * @returns {Promise<ReadonlyMap<string, readonly Slice[]>>}
 */
export async function interleaved(clients, count, take, onFailure) {
  const slices = new Map(clients.map((client) => [client, /** @type {Slice[]} */ ([])]))
  for (let index = 0; index < count; index += 1) {
    const remaining = [...slices]
    for (const [client, taken] of index % 2 === 0 ? remaining : remaining.toReversed()) {
      try {
        taken.push(await take(client))
      } catch (error) {
        slices.delete(client)
        onFailure(client, error)
      }
    }
  }
  return slices
}

/**
 * The numbers of the slices by key.
 *
 * @param {readonly Slice[]} slices
 * @returns {Sample}
 */
export function sampleOf(slices) {
  const keys = Object.keys(slices[0] ?? {})
  return Object.fromEntries(keys.map((key) => [key, slices.map((slice) => slice[key] ?? Number.NaN)]))
}
