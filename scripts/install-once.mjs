import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * Runs `npm ci` in a folder outside the workspaces, unless its lock file is the one that was installed last.
 *
 * @param {string} folder With a slash at the end.
 * @param {string} what Shown while it is installed, and when that fails.
 */
export function installOnce(folder, what) {
  const lock = `${folder}package-lock.json`
  const installed = `${folder}node_modules/.installed-lock.json`
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return
  process.stderr.write(`installing ${what} (npm ci in ${folder}), once\n`)
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-progress', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) throw new Error(`could not install ${what}: npm ci failed in ${folder}`)
  copyFileSync(lock, installed)
}
