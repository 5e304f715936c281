import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'

/** Takes a value out of the slots. */
export function take<K extends SpecFieldName>(specFields: SpecFields, specField: K): SpecFields[K] {
  const value = specFields[specField]
  delete specFields[specField]
  return value
}

/** A property that the object itself has. */
export function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
