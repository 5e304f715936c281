import type { SlotName, Slots } from '../spec/spec-fields.ts'

/** Takes a value out of the slots. */
export function take<K extends SlotName>(slots: Slots, slot: K): Slots[K] {
  const value = slots[slot]
  delete slots[slot]
  return value
}

/** A property that the object itself has. */
export function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
