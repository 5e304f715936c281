import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that each package may import. */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  client: [],
  bridge: ['client'],
  agent: ['bridge', 'client'],
  lockbox: ['bridge', 'client'],
  api: [],
  gateway: ['api', 'agent', 'lockbox', 'bridge', 'client'],
  react: ['api'],
  console: ['react', 'api'],
  cli: ['api', 'gateway', 'agent', 'lockbox', 'bridge', 'client'],
  testkit: ['lockbox', 'bridge', 'client'],
}

/** Imports under `packagesFolder` that violate the layers, as messages. */
export function layerViolations(packagesFolder: string): readonly string[] {
  return Object.entries(mayUse).flatMap(([name, allowed]) =>
    sourcesOf(join(packagesFolder, name)).flatMap((file) =>
      housePackagesImportedBy(file)
        .filter((used) => used !== name && !allowed.includes(used))
        .map((used) => `${name} must not import ${used} (${file.slice(packagesFolder.length + 1)})`),
    ),
  )
}

/** Every module specifier of a source file: static, dynamic, re-exported, type-only. */
function specifiersIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

function sourcesOf(packageFolder: string): readonly string[] {
  return filesBelow(join(packageFolder, 'src')).filter((file) => /\.tsx?$/.test(file))
}

function housePackagesImportedBy(file: string): readonly string[] {
  return specifiersIn(file).flatMap((specifier) => {
    if (specifier === 'toolbridge') return ['cli']
    const scoped =
      /^@toolbridge\/([a-z]+)/.exec(specifier)?.[1] ?? /^(?:\.\.\/)+([a-z]+)\/src\//.exec(specifier)?.[1]
    return scoped === undefined ? [] : [scoped]
  })
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
