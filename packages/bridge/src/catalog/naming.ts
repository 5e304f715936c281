import { createHash } from 'node:crypto'

/** A tool as its server and that server's configuration know it. */
export interface ToolPair {
  readonly server: string
  readonly tool: string
}

export interface PublicName {
  readonly name: string
  /** Another pair would have had the same name, so all of them carry a hash. */
  readonly hasCollided: boolean
}

/** The longest name that every model API takes. */
export const MAX_NAME_LENGTH = 64

/** `server__tool` in the characters that every model API takes; neither unique nor short enough by itself. */
export function plainName({ server, tool }: ToolPair): string {
  return `${identifier(server) || 'server'}__${identifier(tool) || 'tool'}`
}

/** How much of a plain name is left at least, however long its hash has to be. */
const minStemLength = MAX_NAME_LENGTH - 1 - 40

/** Whether a tool of that public name can be one of that server. Says yes too often for names that had to be cut. */
export function mayBeNameOf(server: string, name: string): boolean {
  const prefix = `${identifier(server) || 'server'}__`
  return name.startsWith(prefix.slice(0, minStemLength))
}

/**
 * Gives every pair a unique name, in the order of the pairs. A name depends on the set of pairs and not on their order;
 * of pairs that collide none keeps the plain name, so that no server can take over a name another one had. The pairs
 * must differ.
 */
export function nameTools(pairs: readonly ToolPair[]): readonly PublicName[] {
  const hashLengths = pairs.map((pair): number => (needsHash(pair) ? 8 : 0))
  const collided = pairs.map(() => false)
  for (;;) {
    const names = pairs.map((pair, index) => nameWithHash(pair, hashLengths[index] ?? 0))
    const repeated = indexesOfRepeated(names)
    if (repeated.length === 0)
      return names.map((name, index) => ({ name, hasCollided: collided[index] === true }))
    for (const index of repeated) {
      if ((hashLengths[index] ?? 0) > 32) throw new RangeError('the same tool was named twice')
      hashLengths[index] = (hashLengths[index] ?? 0) + 8
      collided[index] = true
    }
  }
}

function identifier(text: string): string {
  const replaced = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /[A-Za-z0-9]/.test(replaced) ? replaced : ''
}

/** Whether replacing characters or cutting would lose what tells the pair from others. */
function needsHash(pair: ToolPair): boolean {
  const losesLetters = [pair.server, pair.tool].some(
    (part) => identifier(part) === '' || /[^\p{ASCII}]/u.test(part.replaceAll(/[^\p{L}\p{N}]/gu, '')),
  )
  return losesLetters || plainName(pair).length > MAX_NAME_LENGTH
}

function nameWithHash(pair: ToolPair, hashLength: number): string {
  const plain = plainName(pair)
  if (hashLength === 0) return plain
  const hash = createHash('sha256')
    .update(JSON.stringify([pair.server, pair.tool]))
    .digest('hex')
    .slice(0, hashLength)
  return `${plain.slice(0, MAX_NAME_LENGTH - 1 - hash.length)}_${hash}`
}

function indexesOfRepeated(names: readonly string[]): readonly number[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.flatMap((name, index) => ((counts.get(name) ?? 0) > 1 ? [index] : []))
}
