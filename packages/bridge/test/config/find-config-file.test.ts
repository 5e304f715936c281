import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import { findConfigFile } from '@toolbridge/bridge/config'
import { afterEach, beforeEach, expect, test } from 'vitest'

let cwd = ''

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolbridge-'))
  await mkdir(join(cwd, '.toolbridge'))
  for (const file of ['flag.json', 'variable.json', 'env-file.json', '.toolbridge/mcp.json']) {
    await writeFile(join(cwd, file), '{}')
  }
  await writeFile(join(cwd, '.env'), '# settings\r\nexport TOOLBRIDGE_MCP_FILE = "env-file.json" # here\r\n')
})

afterEach(() => rm(cwd, { recursive: true }))

test('the flag comes first, then the environment, then .env, then the project file [S3-1] [S3-2] [S3-3] [S3-4] [S3-6] [D34]', async () => {
  const env = { TOOLBRIDGE_MCP_FILE: 'variable.json' }
  expect(await findConfigFile({ flag: 'flag.json', env, cwd })).toEqual({
    file: join(cwd, 'flag.json'),
    foundBy: 'flag',
  })
  expect(await findConfigFile({ env, cwd })).toEqual({
    file: join(cwd, 'variable.json'),
    foundBy: 'environment',
  })
  expect(await findConfigFile({ env: {}, cwd })).toEqual({
    file: join(cwd, 'env-file.json'),
    foundBy: 'env-file',
  })
  await rm(join(cwd, '.env'))
  expect(await findConfigFile({ env: {}, cwd })).toEqual({
    file: join(cwd, '.toolbridge/mcp.json'),
    foundBy: 'project',
  })
  await rm(join(cwd, '.toolbridge'), { recursive: true })
  expect(await findConfigFile({ env: {}, cwd })).toBeUndefined()
})

test('a file that somebody named and that is missing is an error', async () => {
  await expect(findConfigFile({ flag: 'gone.json', env: {}, cwd })).rejects.toThrow(ConfigError)
  const env = { TOOLBRIDGE_MCP_FILE: 'gone.json' }
  await expect(findConfigFile({ env, cwd })).rejects.toThrow(/TOOLBRIDGE_MCP_FILE in the environment/)
  await rm(join(cwd, 'env-file.json'))
  await expect(findConfigFile({ env: {}, cwd })).rejects.toThrow(/TOOLBRIDGE_MCP_FILE in \.env/)
})

test('a .env that is too large is an error that says so', async () => {
  await truncate(join(cwd, '.env'), 16 * 1024 * 1024 + 1)
  const error = await findConfigFile({ env: {}, cwd }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toMatchObject({ issues: [{ code: 'file_too_large', file: join(cwd, '.env') }] })
  expect(await findConfigFile({ flag: 'flag.json', env: {}, cwd })).toMatchObject({ foundBy: 'flag' })
})
