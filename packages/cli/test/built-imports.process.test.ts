import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The packages that a built file imports at once, itself or through others. */
function packagesOf(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const code = readFileSync(join(dist, file), 'utf8')
  for (const [, specifier = ''] of code.matchAll(/^(?:import|export) (?:[^;]*? from )?"([^"]+)";$/gm)) {
    if (specifier.startsWith('.')) packagesOf(join(dirname(file), specifier), seen)
    else seen.add(specifier)
  }
  return seen
}

test('the built commands load the SDKs of models only if they use a model', () => {
  for (const file of ['start.js', 'shared/serve.js', 'shared/open.js', 'shared/run-script.js']) {
    const packages = packagesOf(file)
    expect(packages).toContain('@toolbridge/client/internal')
    expect(packages).not.toContain('@toolbridge/agent')
    expect(packages).not.toContain('sucrase')
  }
  expect(packagesOf('shared/agent.js')).toContain('@toolbridge/agent')
})
