/** Installs the hosts if they are missing or the lock file changed. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const lock = `${folder}package-lock.json`
/** The lock file that was installed last. */
const installed = `${folder}node_modules/.installed-lock.json`

export function installHosts() {
  if (isInstalled()) return
  process.stderr.write('installing the hosts (npm ci in hosts), once\n')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-progress', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) throw new Error('npm ci failed in hosts')
  copyFileSync(lock, installed)
}

function isInstalled() {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')
}
