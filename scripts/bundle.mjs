// Bundles the packages whose load time matters: one file per entry point and a few shared chunks. Node resolves, reads and
// links every module separately, which costs more than compiling it. tsc writes the declarations.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundleCommand } from './bundle-command.mjs'
import { replaceFile } from './replace-file.mjs'

const packages = fileURLToPath(new URL('../packages', import.meta.url))

/**
 * Chunks smaller than this are merged with the one whose importers are most similar. Merged chunks may import each other; then
 * the next size is tried.
 */
const chunkSizes = [20_000, 5_000, 0]

export async function bundlePackages() {
  await Promise.all(['client', 'bridge', 'cli'].map((name) => bundlePackage(join(packages, name))))
}

async function bundlePackage(root) {
  const dist = join(root, 'dist')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = await bundle(root, manifest)
  if (manifest.bin !== undefined) for (const [file, text] of await bundleCommand(root)) files.set(file, text)
  for (const [file, text] of files) replaceFile(join(dist, file), text)
  for (const file of scriptsBelow(dist)) if (!files.has(file)) rmSync(join(dist, file), { force: true })
  for (const file of Object.values(manifest.bin ?? {})) chmodSync(join(root, file), 0o755)
}

/**
 * Source files by the path of the built file in `dist`, without `.js`: those of `exports` and `imports`. A command starts from
 * one of its `imports`.
 */
function entriesOf(root, { exports, imports = {}, bin }) {
  const [first, second] = bin === undefined ? [exports, imports] : [imports, exports]
  const entries = [...Object.values(first), ...Object.values(second)]
  const pairs = entries
    .filter((conditions) => typeof conditions === 'object')
    .map((conditions) => [conditions.default, conditions['@toolbridge/source']])
  return Object.fromEntries(
    pairs.map(([built, source]) => [/^\.\/dist\/(.+)\.js$/.exec(built)[1], join(root, source)]),
  )
}

/** Returns the text of each file by its path in `dist`. */
async function bundle(root, manifest) {
  for (const minBytes of chunkSizes) {
    const written = await bundleWith(root, manifest, minBytes)
    const cycle = written.map(({ fileName }) => cycleOf(fileName, written)).find(Boolean)
    if (cycle === undefined)
      return new Map(written.map((part) => [part.fileName, part.type === 'chunk' ? part.code : part.source]))
    // Chunks that are not merged have no cycles, unless the modules have.
    if (minBytes === 0) throw new Error(cycle)
  }
}

async function bundleWith(root, manifest, minBytes) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    build: {
      write: false,
      minify: false,
      sourcemap: true,
      target: 'es2023',
      lib: { entry: entriesOf(root, manifest), formats: ['es'] },
      rolldownOptions: {
        external: (id) => isForeign(id, root),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: ({ name }) => `shared/${name.split('~')[0]}.js`,
          // Annotations help other bundlers; the documentation is in the declarations.
          comments: { annotation: true, jsdoc: false, legal: false },
          codeSplitting: {
            groups: [coreOf(root, manifest), mainOf(root, manifest), commonOf(manifest, minBytes)],
          },
        },
      },
    },
  })
  return [output].flat().flatMap(({ output: parts }) => parts)
}

/** Describes circular imports, if there are any: a class could be extended before it exists. */
function cycleOf(start, parts) {
  const reached = new Set()
  const pending = [start]
  for (const name of pending) {
    const imports = parts.find(({ fileName }) => fileName === name)?.imports ?? []
    if (imports.includes(start)) return `${start} and ${name} import each other`
    for (const each of imports) if (!reached.has(each)) pending.push(each)
    for (const each of imports) reached.add(each)
  }
  return undefined
}

/** Dependencies, other packages of this repository, and Node's modules; not the helpers that the bundler inserts. */
function isForeign(id, root) {
  return !id.startsWith('.') && !id.startsWith(root) && !id.startsWith('@oxc-project/runtime')
}

/**
 * The modules of the first entry point. In the client, exactly those that a connection loads: a page that bundles the
 * client downloads only this chunk before it connects.
 */
function coreOf(root, manifest) {
  const [entry] = Object.values(entriesOf(root, manifest))
  const connect = join(root, 'src/connect.ts')
  const isClient = existsSync(connect)
  return {
    name: (id, context) => (isLoadedBy(isClient ? connect : entry, id, context) ? 'core' : null),
    minShareCount: isClient ? 1 : 2,
    priority: 2,
  }
}

/** The other modules that the first entry point shares, so that it loads few files. */
function mainOf(root, manifest) {
  const [entry] = Object.values(entriesOf(root, manifest))
  return {
    name: (id, context) => (isLoadedBy(entry, id, context) ? 'main' : null),
    minShareCount: 2,
    priority: 1,
  }
}

/** Modules that several entry points import. One chunk in the command: divided by actions, chunks may import each other. */
function commonOf({ peerDependencies = {}, bin }, minBytes) {
  const peers = Object.keys(peerDependencies)
  return {
    // A chunk may be loaded by entry points that need only a part of it, so none may need an optional package, or one that takes
    // long to load.
    name: (id, context) => {
      if (needsAny(['@toolbridge/agent'], id, context)) return 'with-agent'
      return needsAny(peers, id, context) ? null : 'common'
    },
    minShareCount: 2,
    entriesAware: bin === undefined,
    entriesAwareMergeThreshold: minBytes,
  }
}

/** Whether a module imports one of these packages statically, itself or through others. */
function needsAny(packageNames, id, context, seen = new Set()) {
  if (seen.has(id)) return false
  seen.add(id)
  if (packageNames.some((name) => id === name || id.startsWith(`${name}/`))) return true
  const imported = context.getModuleInfo(id)?.importedIds ?? []
  return imported.some((each) => needsAny(packageNames, each, context, seen))
}

/** Whether an entry point imports a module statically, itself or through others. */
function isLoadedBy(entry, id, context, seen = new Set()) {
  if (id === entry) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = context.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => isLoadedBy(entry, importer, context, seen))
}

/** Scripts and source maps, as paths relative to `folder`. */
function scriptsBelow(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) return scriptsBelow(folder, path)
    return /\.c?js(\.map)?$/.test(entry.name) ? [path] : []
  })
}
