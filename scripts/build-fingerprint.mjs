// Recognizes a repository that was built and has not changed since.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stored = join(root, 'node_modules/.cache/toolbridge/build')
const notBuilt = new Set(['dist', 'node_modules', 'test', 'README.md'])
/** The command writes there when it runs. */
const codeCache = 'code-cache'

/** Whether the last build was of these sources, and its files are as it wrote them. */
export function isBuilt() {
  return existsSync(stored) && readFileSync(stored, 'utf8') === fingerprint()
}

/** Call it before a build, which may fail. */
export function forgetBuild() {
  rmSync(stored, { force: true })
}

/** Call it after a build that succeeded. */
export function rememberBuild() {
  mkdirSync(dirname(stored), { recursive: true })
  writeFileSync(stored, fingerprint())
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.version} ${process.env['NODE_ENV'] ?? 'production'}`)
  for (const file of sources()) hash.update(`\n${file}\n`).update(readFileSync(file))
  for (const file of outputs()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`\n${file} ${size} ${mtimeMs}`)
  }
  return hash.digest('hex')
}

function sources() {
  const configurations = ['package-lock.json', 'package.json', 'tsconfig.base.json', 'tsconfig.json']
  return [
    ...configurations.map((name) => join(root, name)),
    ...filesBelow(join(root, 'scripts'), notBuilt),
    ...filesBelow(join(root, 'packages'), notBuilt),
  ]
}

function outputs() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'dist'))
  return packages.flatMap((dist) => (existsSync(dist) ? filesBelow(dist, new Set([codeCache])) : []))
}

function filesBelow(folder, omitted) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !omitted.has(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name), omitted) : join(folder, entry.name),
    )
}
