import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program, temporaryFolder } from './transcript.ts'

const text = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
const [cursor = ''] = [...text.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const steps = [...text.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.split(/^\$ /m).slice(1),
)

test('every command of docs/configuration.md prints what stands there', () => {
  const root = temporaryFolder()
  try {
    const home = join(root.path, 'ada')
    const cwd = join(home, 'app')
    for (const folder of [cwd, join(home, '.cursor'), join(root.path, 'bin')])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(home, '.cursor/mcp.json'), cursor)
    const shim = join(root.path, 'bin', 'toolbridge')
    writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
    chmodSync(shim, 0o755)
    writeFileSync(join(root.path, 'bin', 'npx'), '#!/bin/sh\n', { mode: 0o755 })
    const env = { HOME: home, PATH: `${join(root.path, 'bin')}:${process.env['PATH']}` }
    for (const step of steps) {
      const [command = '', ...lines] = step.split('\n')
      const { stdout, status } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' })
      const shown =
        stdout.replaceAll(home, '/home/ada').replaceAll(join(root.path, 'bin'), '/usr/bin') +
        (status === 0 ? '' : `[exit ${status}]\n`)
      expect(`$ ${command}\n${shown.trimEnd()}`).toBe(`$ ${command}\n${lines.join('\n').trimEnd()}`)
    }
  } finally {
    root.remove()
  }
})
