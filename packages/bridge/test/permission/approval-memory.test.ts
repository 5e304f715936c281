import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answerer, ApprovalDecision, ServerSpec } from '@toolbridge/bridge'
import { fileGrantStore, type Grant, type GrantStore, memoryGrantStore } from '@toolbridge/bridge/permissions'
import { describe, expect, onTestFinished, test } from 'vitest'
import { alice, openPermissions, person, type ScriptedPerson, requestCall } from './open-permissions.ts'
import { nodeServer } from '../servers/specs.ts'

function accepting(decision?: ApprovalDecision): ScriptedPerson {
  return person(() => ({ action: 'accept', ...(decision === undefined ? {} : { decision }) }))
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-grants-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('an approval holds', () => {
  const [same, other] = [{ path: '/a' }, { path: '/b' }]
  const otherConversation = { ...alice, conversation: 'two' }

  /** How often somebody is asked: for the call again, with other arguments, elsewhere, and by somebody else. */
  test.each<[string, ApprovalDecision | undefined, readonly [number, number, number, number]]>([
    ['for one call by default', undefined, [2, 3, 4, 5]],
    ['for one call', 'once', [2, 3, 4, 5]],
    ['for the same call in this session', 'session', [1, 2, 3, 4]],
    ['for every call of the tool in this session', 'tool', [1, 1, 2, 3]],
    ['for every call of the tool by this principal', 'always', [1, 1, 1, 2]],
  ])('%s', async (_title, decision, counts) => {
    const [permissions, approver] = [openPermissions(), accepting(decision)]
    await requestCall(permissions, same, { approver })
    await requestCall(permissions, { ...same }, { approver })
    expect(approver.asked).toHaveLength(counts[0])
    await requestCall(permissions, other, { approver })
    expect(approver.asked).toHaveLength(counts[1])
    await requestCall(permissions, same, { approver, origin: otherConversation })
    expect(approver.asked).toHaveLength(counts[2])
    await requestCall(permissions, same, { approver, origin: { ...alice, principal: 'bob' } })
    expect(approver.asked).toHaveLength(counts[3])
  })

  test('for the definition of the server that it was given for', async () => {
    const [permissions, approver] = [openPermissions(), accepting('always')]
    await requestCall(permissions, {}, { approver })
    await requestCall(
      permissions,
      {},
      { approver, spec: { ...nodeServer('files', 'x.mjs'), enabled: false } },
    )
    expect(approver.asked).toHaveLength(1)
    await requestCall(permissions, {}, { approver, spec: nodeServer('files', 'y.mjs') })
    expect(approver.asked).toHaveLength(2)
  })

  test('for the project whose entry it was given for: the same words may start another program elsewhere', async () => {
    const [permissions, approver] = [openPermissions(), accepting('always')]
    const inProject = (file: string): ServerSpec => ({
      ...nodeServer('files', './x.mjs'),
      source: { file, pointer: '/files', kind: 'project' },
    })
    await requestCall(permissions, {}, { approver, spec: inProject('/one/.mcp.json') })
    await requestCall(permissions, {}, { approver, spec: inProject('/one/.mcp.json') })
    expect(approver.asked).toHaveLength(1)
    await requestCall(permissions, {}, { approver, spec: inProject('/two/.mcp.json') })
    expect(approver.asked).toHaveLength(2)
  })

  test('for the tool as it was', async () => {
    const [permissions, approver] = [openPermissions(), accepting('always')]
    await requestCall(permissions, {}, { approver })
    await requestCall(permissions, {}, { approver, definition: { description: 'Writes, and tells others' } })
    expect(approver.asked).toHaveLength(2)
    await requestCall(permissions, {}, { approver, definition: { description: 'Writes, and tells others' } })
    expect(approver.asked).toHaveLength(2)
  })

  test('and says nothing to a rule that asks for more', async () => {
    const permissions = openPermissions({ rules: { ask: ['mcp://files/write(path=/etc/**)'] } })
    const approver = accepting('always')
    await requestCall(permissions, { path: '/tmp/x' }, { approver })
    await requestCall(permissions, { path: '/tmp/y' }, { approver })
    expect(approver.asked).toHaveLength(1)
    await requestCall(permissions, { path: '/etc/passwd' }, { approver })
    expect(approver.asked).toHaveLength(2)
    await requestCall(permissions, { path: '/etc/hosts' }, { approver })
    expect(approver.asked).toHaveLength(2)
  })

  test.each(['session', 'tool', 'always'] as const)(
    'for this tool alone, also if it is given for %s',
    async (decision) => {
      const [permissions, approver] = [openPermissions(), accepting(decision)]
      await requestCall(permissions, {}, { approver })
      await requestCall(permissions, {}, { approver, definition: { name: 'read' } })
      await requestCall(permissions, {}, { approver, spec: nodeServer('mail', 'x.mjs') })
      expect(approver.asked.map(({ tool }) => tool)).toEqual(['files__write', 'files__read', 'mail__write'])
    },
  )

  test('until the conversation is released', async () => {
    const [permissions, approver] = [openPermissions(), accepting('tool')]
    await requestCall(permissions, {}, { approver })
    permissions.forget(alice)
    await requestCall(permissions, {}, { approver })
    expect(approver.asked).toHaveLength(2)
  })

  test('against no rule that denies', async () => {
    const grants = memoryGrantStore()
    const approver = accepting('always')
    await requestCall(openPermissions({ grants }), {}, { approver })
    const denying = requestCall(openPermissions({ grants, rules: { deny: ['mcp:*'] } }), {}, { approver })
    await expect(denying).rejects.toMatchObject({ code: 'denied' })
  })
})

test('a decision that was given answers the questions behind it that it covers', async () => {
  const permissions = openPermissions()
  let answer: (decision: ApprovalDecision) => void = () => {}
  const approver = person(
    () =>
      new Promise((resolve) => {
        answer = (decision) => resolve({ action: 'accept', decision })
      }),
  )
  const calls = ['/a', '/b', '/c', '/d'].map((path) => requestCall(permissions, { path }, { approver }))
  await expect.poll(() => approver.asked.length).toBe(1)
  answer('once')
  await expect.poll(() => approver.asked.length).toBe(2)
  answer('tool')
  await Promise.all(calls)
  expect(approver.asked).toHaveLength(2)
})

test('questions of different conversations do not wait for each other', async () => {
  const permissions = openPermissions()
  const silent = person(() => new Promise(() => {}))
  const controller = new AbortController()
  const waiting = requestCall(permissions, {}, { approver: silent, signal: controller.signal })
  await requestCall(permissions, {}, { approver: accepting(), origin: { ...alice, conversation: 'two' } })
  controller.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})

test('the question says why it is asked, and how far an answer may go', async () => {
  const approver = accepting()
  await requestCall(openPermissions({ rules: { ask: ['mcp:files__*'] } }), { a: 1 }, { approver })
  expect(approver.asked).toMatchObject([
    {
      message: 'Allow this call of files__write?',
      reason: 'rule ask mcp:files__*',
      decisions: ['once', 'session', 'tool', 'always'],
      detail: 'files__write {"a":1}',
    },
  ])
})

test('without anybody to ask nothing is allowed that is not allowed by a rule', async () => {
  await expect(requestCall(openPermissions())).rejects.toMatchObject({ code: 'no_answerer' })
  const unable: Answerer = { kinds: ['form'], ask: async () => ({ action: 'accept' }) }
  await expect(requestCall(openPermissions(), {}, { approver: unable })).rejects.toMatchObject({
    code: 'no_answerer',
  })
  expect(await requestCall(openPermissions({ rules: { allow: ['mcp:*'] } }))).toBe('rule allow mcp:*')
})

test('a store that fails has granted nothing, and does not undo what a person allowed', async () => {
  const events: string[] = []
  const broken: GrantStore = {
    ...memoryGrantStore(),
    has: () => Promise.reject(new Error('no store')),
    add: () => Promise.reject(new Error('no store')),
  }
  const permissions = openPermissions({
    grants: broken,
    emit: (event) => void (event.type === 'diagnostic' && events.push(event.code)),
  })
  const approver = accepting('always')
  expect(await requestCall(permissions, {}, { approver })).toBe('approved')
  expect(await requestCall(permissions, {}, { approver })).toBe('approved')
  expect(approver.asked).toHaveLength(2)
  expect(events).toEqual(['approval_not_kept', 'approval_not_kept'])
})

describe.each(['memory', 'file'] as const)('grants kept in a %s', (kind) => {
  const grant: Grant = {
    principal: 'alice',
    server: 'files',
    definition: 'd',
    tool: 'write',
    pin: 'p',
    asks: ['mode ask'],
  }

  async function openStore(): Promise<GrantStore> {
    return kind === 'memory' ? memoryGrantStore() : fileGrantStore(await temporaryFolder())
  }

  test('are there until they are removed, for exactly what they were given', async () => {
    const store = await openStore()
    await store.add(grant)
    await store.add(grant)
    expect(await store.has({ ...grant })).toBe(true)
    for (const key of ['principal', 'server', 'definition', 'tool', 'pin'] as const)
      expect(await store.has({ ...grant, [key]: 'other' })).toBe(false)
    expect(await store.has({ ...grant, asks: ['mode ask', 'more'] })).toBe(false)
    expect(await store.list('alice')).toEqual([grant])
    expect(await store.list('bob')).toEqual([])
    await store.remove(grant)
    expect(await store.has(grant)).toBe(false)
  })
})

test('grants in files outlive the process, are private, and count for nothing when others could write them', async () => {
  const folder = join(await temporaryFolder(), 'grants')
  const approver = accepting('always')
  await requestCall(openPermissions({ grants: fileGrantStore(folder) }), {}, { approver })
  await requestCall(openPermissions({ grants: fileGrantStore(folder) }), {}, { approver })
  expect(approver.asked).toHaveLength(1)
  const [file = ''] = await readdir(folder)
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  await writeFile(join(folder, file), '{"principal":"alice"}')
  await requestCall(openPermissions({ grants: fileGrantStore(folder) }), {}, { approver })
  expect(approver.asked).toHaveLength(2)
})

test('a record that is no grant is not listed and grants nothing', async () => {
  const folder = await temporaryFolder()
  const store = fileGrantStore(folder)
  const grant = grantOf(0)
  await store.add(grant)
  const [file = ''] = await readdir(folder)
  const { asks: _asks, ...withoutAsks } = grant
  const damaged = [
    withoutAsks,
    { ...grant, asks: 'x' },
    { ...grant, asks: [1] },
    [],
    ...(['principal', 'server', 'definition', 'tool', 'pin'] as const).map((key) => ({ ...grant, [key]: 1 })),
  ]
  for (const record of damaged) {
    await writeFile(join(folder, file), JSON.stringify(record))
    expect(await store.list('alice')).toEqual([])
    expect(await store.has(grant)).toBe(false)
  }
  await writeFile(join(folder, file), JSON.stringify({ ...grant, tool: 'other' }))
  expect(await store.has(grant)).toBe(false)
  await writeFile(join(folder, file), JSON.stringify({ ...grant, more: 1 }))
  expect(await store.has(grant)).toBe(true)
})

test('a call refused because nobody can answer names the rule that has another name for the tool', async () => {
  const permissions = openPermissions({ rules: { allow: ['mcp:files_write'] } })
  await expect(requestCall(permissions)).rejects.toThrow(
    'files__write needs an approval (mode ask; the rule allow mcp:files_write uses another naming style: use the address mcp://<server>/<tool>) and there is no answerer',
  )
})

test('many grants at once in one folder are all kept', async () => {
  const folder = await temporaryFolder()
  const grants = Array.from({ length: 50 }, (_unused, index) => grantOf(index))
  await Promise.all(grants.map((grant) => fileGrantStore(folder).add(grant)))
  expect(await fileGrantStore(folder).list('alice')).toHaveLength(50)
  expect((await readdir(folder)).every((name) => name.endsWith('.json'))).toBe(true)
})

function grantOf(index: number): Grant {
  return { principal: 'alice', server: 's', definition: 'd', tool: `t${index}`, pin: 'p', asks: [] }
}

test('refusals are told apart, and nothing is remembered of them', async () => {
  const permissions = openPermissions()
  const no = person(() => ({ action: 'decline' }))
  await expect(requestCall(permissions, {}, { approver: no })).rejects.toMatchObject({
    code: 'approval_refused',
  })
  await expect(requestCall(permissions, {}, { approver: no })).rejects.toMatchObject({
    code: 'approval_refused',
  })
  const gone = person(() => ({ action: 'cancel' }))
  await expect(requestCall(permissions, {}, { approver: gone })).rejects.toMatchObject({
    code: 'approval_expired',
  })
  expect(no.asked).toHaveLength(2)
})
