/** Size and dependencies of the published client. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Published
 * @property {number} tarballBytes
 * @property {number} unpackedBytes
 * @property {number} fileCount
 * @property {string} diskUsage Output of `du` for the unpacked tarball.
 * @property {string} dependencies Output of `npm ls`.
 */

/**
 * Packs the client as `npm publish` would and measures the result.
 *
 * @returns {Published}
 */
export function lookAtPublished() {
  const folder = mkdtempSync(join(tmpdir(), 'published-'))
  try {
    const packed = run('npm', ['pack', './packages/client', '--json', '--pack-destination', folder])
    const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(packed)
    run('tar', ['-xzf', join(folder, filename), '-C', folder])
    return {
      tarballBytes: size,
      unpackedBytes: unpackedSize,
      fileCount: entryCount,
      diskUsage: run('du', ['-sk', join(folder, 'package')]).split('\t')[0] ?? '',
      dependencies: run('npm', ['ls', '--omit=dev', '--all', '--workspace', '@toolbridge/client'])
        .replaceAll(` ${root.replace(/\/$/, '')}`, '')
        .trim(),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  return execFileSync(program, [...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
