// Packs every published package and checks the tarball with publint and attw.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = readdirSync('packages').map((name) => join('packages', name))
const published = folders.filter((folder) => manifestOf(folder).private !== true)
const tarballs = mkdtempSync(join(tmpdir(), 'tarballs-'))
let failed = 0

try {
  for (const folder of published) failed += check(folder) ? 0 : 1
} finally {
  rmSync(tarballs, { recursive: true })
}
process.exitCode = failed === 0 ? 0 : 1

function check(folder) {
  const tarball = pack(folder)
  const hasTypes = Object.keys(manifestOf(folder).exports).some((entry) => entry !== './package.json')
  const good =
    run('publint', ['run', '--strict', tarball]) &&
    (!hasTypes || run('attw', ['--profile', 'esm-only', '--quiet', tarball]))
  process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${manifestOf(folder).name}\n`)
  return good
}

function pack(folder) {
  const out = execFileSync('npm', ['pack', `./${folder}`, '--json', '--pack-destination', tarballs], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return join(tarballs, JSON.parse(out)[0].filename)
}

function run(tool, args) {
  try {
    execFileSync(join('node_modules', '.bin', tool), args, { encoding: 'utf8', stdio: 'pipe' })
    return true
  } catch (error) {
    process.stderr.write(`${tool} ${args.at(-1)}\n${error.stdout ?? ''}${error.stderr ?? ''}\n`)
    return false
  }
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
