import { isDeepStrictEqual } from 'node:util'
import { type SlotName, type Slots, slotPaths, slotsOf } from '../spec/spec-fields.ts'
import type { ServerSpec } from '../spec/server-spec.ts'

/** Something that a dialect has no words for. */
export interface Loss {
  readonly server: string
  /** Canonical field, such as `timeouts.callMs`. */
  readonly field: string
  /** `dropped`: the server was written without it. `refused`: the server was left out, since more would be possible. */
  readonly outcome: 'dropped' | 'refused'
  readonly reason: string
}

/** What a definition says and the same one does not say any more after it was written and read back. */
export function lossesBetween(
  spec: ServerSpec,
  readBack: ServerSpec | undefined,
  title: string,
  reasons: ReadonlyMap<SlotName, string> | undefined,
): readonly Loss[] {
  const wanted = comparable(slotsOf(spec))
  if (readBack === undefined) {
    const field = spec.transport === 'stdio' ? 'command' : 'url'
    const reason = reasons?.get(field) ?? `${title} has no way to reach a server by ${spec.transport}`
    return [{ server: spec.name, field, outcome: 'refused', reason }]
  }
  const written = comparable(slotsOf(readBack))
  const slots = new Set([...Object.keys(wanted), ...Object.keys(written)].filter(isSlot))
  return [...slots]
    .filter((slot) => !isDeepStrictEqual(wanted[slot], written[slot]))
    .map((slot) => ({
      server: spec.name,
      field: slotPaths[slot],
      outcome: isHarmless(slot, wanted) ? 'dropped' : 'refused',
      reason: reasons?.get(slot) ?? `${title} has no field for it`,
    }))
}

function isSlot(key: string): key is SlotName {
  return Object.hasOwn(slotPaths, key)
}

/** `KEY = ${env:KEY}` and handing on KEY by its name are the same. */
function comparable(slots: Slots): Slots {
  const { env = {}, inheritNames = [], ...rest } = slots
  const handedOn = Object.keys(env).filter((name) => env[name] === `\${env:${name}}`)
  const own = Object.entries(env).filter(([name]) => !handedOn.includes(name))
  const names = [...new Set([...inheritNames, ...handedOn])].toSorted()
  return {
    ...rest,
    ...(own.length === 0 ? {} : { env: Object.fromEntries(own) }),
    ...(names.length === 0 ? {} : { inheritNames: names }),
  }
}

/** What a server cannot do without: it would be another one, or could do more. */
const needed: ReadonlySet<SlotName> = new Set<SlotName>([
  'enabled',
  'readOnly',
  'allow',
  'deny',
  'unsetEnv',
  'command',
  'args',
  'url',
])

/** Whether a server without it can do no more than with it, and still is the same server. */
function isHarmless(slot: SlotName, { inheritEnv, approvalDefault, approvalTools = {} }: Slots): boolean {
  if (slot === 'inheritEnv') return inheritEnv === 'all'
  if (slot === 'approvalDefault') return approvalDefault === 'allow'
  if (slot === 'approvalTools') return Object.values(approvalTools).every((approval) => approval === 'allow')
  return !needed.has(slot)
}
