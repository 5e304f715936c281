import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A Chromium that runs on a bare Linux: its program, the system libraries it needs and a font, all from npm. */
export interface UnpackedChromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

const run = promisify(execFile)
const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..')
const cacheFolder = fileURLToPath(new URL('../../../../node_modules/.cache/toolbridge/', import.meta.url))

/** Unpacks Chromium once per version of its package, safe against other processes that do the same. */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = join(cacheFolder, `chromium-${await packageVersion()}`)
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

/** Unpacks into a temporary folder and renames it, so that the final folder is always complete. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const staging = await mkdtemp(join(cacheFolder, 'unpacking-'))
  try {
    await inflate(staging)
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(folder))
    await renameUnlessThere(staging, folder)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * The package unpacks into the temporary folder of its process, and adds libraries such as libnss3 only on AWS. A child
 * process has its own environment for both.
 */
async function inflate(staging: string): Promise<void> {
  const program = `import(${JSON.stringify(`file://${packageFolder}/build/esm/index.js`)}).then((m) => m.default.executablePath())`
  const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
  await run(process.execPath, ['-e', program], { env, timeout: 300_000 })
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}

/** The package's own file names folders of AWS. System fonts are preferred: they have more characters. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`
}
