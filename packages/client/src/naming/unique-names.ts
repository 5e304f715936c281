import { defaultNaming, type NamingPolicy } from './naming-policy.ts'
import { firstName, type ToolPair, withLongerHash } from './tool-names.ts'

export interface PublicName {
  /** Undefined for a tool that is not offered, because another has its name. */
  readonly name: string | undefined
  /** Another pair would have had the same name. */
  readonly hasCollided: boolean
}

/** A pair with the name it has unless another one would have the same, and the policy by which it has it. */
export interface FirstNamed {
  readonly pair: ToolPair
  readonly first: string
  readonly policy: NamingPolicy
}

/**
 * Gives every pair a unique name, in the order of the pairs. A name depends on the set of pairs and not on their order;
 * under `suffix` none of those that collide keeps the plain name, so that no server can take over a name another one
 * had. The pairs must differ.
 */
export function nameTools(
  pairs: readonly ToolPair[],
  policy: NamingPolicy = defaultNaming,
): readonly PublicName[] {
  return resolveNames(pairs.map((pair) => ({ pair, first: firstName(pair, policy), policy })))
}

/** Does what `nameTools` does, for pairs whose first names are known and whose policies may differ. */
export function resolveNames(named: readonly FirstNamed[]): readonly PublicName[] {
  const names: (string | undefined)[] = named.map(({ first }) => first)
  const hashLengths = new Map<number, number>()
  const collided = new Set(indexesOfRepeated(names))
  const firsts = firstByName(named, collided)
  for (const index of collided) {
    const one = named[index]
    if (one === undefined) continue
    const isOffered = firsts.get(one.first) === one
    if (one.policy.onCollision === 'suffix') lengthen(index, named, names, hashLengths)
    else if (!isOffered) names[index] = undefined
  }
  for (let repeated = indexesOfRepeated(names); repeated.length > 0; repeated = indexesOfRepeated(names))
    for (const index of repeated) {
      collided.add(index)
      lengthen(index, named, names, hashLengths)
    }
  return names.map((name, index) => ({ name, hasCollided: collided.has(index) }))
}

/** Gives a pair a name with a hash, or with a longer one than before. */
function lengthen(
  index: number,
  named: readonly FirstNamed[],
  names: (string | undefined)[],
  hashLengths: Map<number, number>,
): void {
  const one = named[index]
  if (one === undefined) return
  const { name, length } = withLongerHash(one.pair, one.policy, hashLengths.get(index))
  hashLengths.set(index, length)
  names[index] = name
}

/** Of those that collide and of which the first wins, the first for each name. */
function firstByName(
  named: readonly FirstNamed[],
  collided: ReadonlySet<number>,
): ReadonlyMap<string, FirstNamed> {
  const firsts = new Map<string, FirstNamed>()
  for (const index of collided) {
    const one = named[index]
    if (one?.policy.onCollision !== 'first-wins') continue
    const known = firsts.get(one.first)
    if (known === undefined || isBefore(one, known)) firsts.set(one.first, one)
  }
  return firsts
}

function isBefore({ pair: a }: FirstNamed, { pair: b }: FirstNamed): boolean {
  return a.server === b.server ? a.tool < b.tool : a.server < b.server
}

function indexesOfRepeated(names: readonly (string | undefined)[]): readonly number[] {
  const counts = new Map<string, number>()
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.flatMap((name, index) => (name !== undefined && (counts.get(name) ?? 0) > 1 ? [index] : []))
}
