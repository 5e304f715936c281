import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText, repositoryFiles, root } from './house/repository.ts'

const manifests = repositoryFiles(/^packages\/(?!testkit)[a-z]+\/package\.json$/)

const entries = manifests.flatMap((file) => {
  const manifest: { name: string; exports: Record<string, string | { '@toolbridge/source': string }> } =
    JSON.parse(readText(file))
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [{ entry: manifest.name + subpath.slice(1), source: join(file, '..', target['@toolbridge/source']) }],
  )
})

test.each(entries)('the public names of $entry change only on purpose', async ({ entry, source }) => {
  const snapshot = join(
    root,
    'test/public-surface',
    `${entry.replace('@toolbridge/', '').replace('/', '-')}.txt`,
  )
  const hint = 'if on purpose, run npx vitest run test/public-surface.test.ts -u'
  await expect(`${exportedNames(source).join('\n')}\n`).toMatchFileSnapshot(snapshot, hint)
})

/** Names a module exports, types included. Entries list theirs one by one: `export *` is not used here. */
function exportedNames(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const listed = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap((match) =>
    (match[1] ?? '').split(',').map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/^.*\sas\s/, ''),
    ),
  )
  const declared = [
    ...text.matchAll(
      /export\s+(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|interface|type)\s+(\w+)/g,
    ),
  ].map((match) => match[1] ?? '')
  return [...new Set([...listed, ...declared])].filter((name) => name !== '').toSorted()
}
