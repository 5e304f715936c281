/** Installs the hosts if they are missing or the lock file changed. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

export function installHosts() {
  if (isInstalled()) return
  process.stderr.write('installing the hosts (npm ci in hosts), once\n')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-progress', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) throw new Error('npm ci failed in hosts')
}

function isInstalled() {
  const installed = `${folder}node_modules/.package-lock.json`
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs
  )
}
