import { paths, type Problem } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
const disabled = { command: 'program', disabled: true }
const numbered = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]))

test.each([
  ['101 servers', numbered(101, disabled), 'config_invalid', 'more than 100 servers cannot be saved'],
  [
    'a name of 201 characters',
    { ['a'.repeat(201)]: disabled },
    'invalid_request',
    'longer than 200 characters',
  ],
  [
    '5,000 arguments',
    { a: { ...disabled, args: Array.from({ length: 5_000 }, () => 'a') } },
    'invalid_request',
    'more than 5000 values',
  ],
])('%s are refused with the limit, and nothing is saved', async (_, mcpServers, code, message) => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.as('ada').post(paths.config, { mcpServers })
  const problem: Problem = await response.json()
  expect(problem.code).toBe(code)
  expect(JSON.stringify(problem.issues)).toContain(message)
  expect(await (await gateway.as('ada').get(paths.config)).json()).toMatchObject({ mcpServers: {} })
})

test('100 servers, a name of 200 characters and thousands of arguments are saved', async () => {
  await using gateway = createTestGateway({ lockbox })
  const large = { ...disabled, args: Array.from({ length: 4_000 }, () => 'a') }
  const mcpServers = { ...numbered(98, disabled), ['a'.repeat(200)]: disabled, large }
  const response = await gateway.as('ada').post(paths.config, { mcpServers })
  expect(await response.json()).toMatchObject({ success: true })
})
