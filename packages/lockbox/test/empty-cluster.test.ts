import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { emptyClusterFile, unpackEmptyCluster } from '../src/database/empty-cluster.ts'
import { openForTest } from './support/test-lockbox.ts'

test('a new lockbox starts from the database that the build has stored', async () => {
  const [stored, folder] = [await emptyFolder(), await emptyFolder()]
  expect(await unpackEmptyCluster(stored)).toBe(true)
  const lockbox = await openForTest(folder)
  const [row] = await lockbox.sql<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  // Every initialization chooses another identifier. It is at the start of the control file.
  const control = await readFile(join(stored, 'global/pg_control'))
  expect(row?.id).toBe(String(control.readBigUInt64LE()))
})

test('nothing is unpacked where none is stored for the version of PGlite', async () => {
  const folder = await emptyFolder()
  expect(await unpackEmptyCluster(folder, join(folder, 'empty-cluster-0.0.0.gz'))).toBe(false)
  expect(await readdir(folder)).toEqual([])
})

test('a stored database that is cut off or damaged is an error, not a part of a database', async () => {
  const folder = await emptyFolder()
  const whole = await readFile(emptyClusterFile())
  const file = join(folder, 'stored.gz')
  for (const [damaged, message] of [
    [whole.subarray(0, whole.length >> 1), 'unexpected end of file'],
    [Buffer.from('no archive'), 'incorrect header check'],
    [gzipSync('[["PG_VERSION",100]]\n17'), 'the stored database is incomplete'],
  ] as const) {
    await writeFile(file, damaged)
    await expect(unpackEmptyCluster(await emptyFolder(), file)).rejects.toThrow(message)
  }
})

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'empty-cluster-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
