import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'

/** Removes and returns a field. */
export function take<K extends SpecFieldName>(specFields: SpecFields, specField: K): SpecFields[K] {
  const value = specFields[specField]
  delete specFields[specField]
  return value
}

/** Returns an own property. */
export function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
