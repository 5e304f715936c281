import { nameOfPackage } from '@toolbridge/bridge/config'

/** The name of a server of a registry, `io.github.owner/name`: as for the package `@owner/name`. */
export function nameOfRegistryName(name: string): string {
  const [namespace = '', own = ''] = name.split('/')
  return nameOfPackage(`@${namespace.split('.').at(-1) ?? ''}/${own}`)
}

/** Numbers names that occur more than once: `files`, `files-2`. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}-${count}`
    taken.add(unique)
    return unique
  })
}
