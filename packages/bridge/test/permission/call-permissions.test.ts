import { homedir } from 'node:os'
import type { Authority, ServerSpec } from '@toolbridge/bridge'
import { memoryGrantStore, memoryPinStore, type PinStore } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'
import { approvalDetail, shownArguments } from '../../src/permission/approvals/approvals.ts'
import { machineOf } from '../../src/permission/tool-permission.ts'
import { nodeServer } from '../servers/specs.ts'
import { alice, openPermissions, permissionOfTool, person, requestCall } from './open-permissions.ts'

const local: Authority = { kind: 'local', env: { HOME: '/home/me' }, workspaceFolder: '/p' }
const bob = { ...alice, principal: 'bob' }

describe('a preview', () => {
  test.each([
    ['allow', 'mode allow', { mode: 'allow' }],
    ['ask', 'mode ask', {}],
    ['deny', 'rule deny mcp:*', { deny: ['mcp:*'] }],
  ] as const)('says %s because of %s', async (verdict, reason, rules) => {
    const permissions = openPermissions({ rules })
    const preview = await permissions.preview(permissionOfTool(permissions), {}, alice)
    expect(preview).toEqual({ verdict, reason })
  })

  test('knows what was granted, and to whom', async () => {
    const permissions = openPermissions()
    const approver = person(() => ({ action: 'accept', decision: 'session' }))
    await requestCall(permissions, { path: '/a' }, { approver })
    const permission = permissionOfTool(permissions)
    const granted = { verdict: 'allow', reason: 'granted' }
    expect(await permissions.preview(permission, { path: '/a' }, alice)).toEqual(granted)
    expect(await permissions.preview(permission, { path: '/b' }, alice)).toMatchObject({ verdict: 'ask' })
    expect(await permissions.preview(permission, { path: '/a' }, bob)).toMatchObject({ verdict: 'ask' })
    expect(await requestCall(permissions, { path: '/a' })).toBe('granted')
  })
})

describe('a call that a person has approved already', () => {
  test('is made once', async () => {
    const permissions = openPermissions()
    expect(await requestCall(permissions, {}, { isApproved: true })).toBe('approved')
    await expect(requestCall(permissions)).rejects.toMatchObject({ code: 'no_answerer' })
  })

  test('is not made if a rule denies it, it names a control file or its tool has changed', async () => {
    const approved = { isApproved: true }
    const denying = openPermissions({ rules: { deny: ['mcp:*'] } })
    await expect(requestCall(denying, {}, approved)).rejects.toMatchObject({
      code: 'denied',
      message: 'files__write may not be called: rule deny mcp:*',
    })
    const permissions = openPermissions()
    const naming = requestCall(permissions, { path: '.mcp.json' }, approved)
    await expect(naming).rejects.toMatchObject({ code: 'no_answerer' })
    await requestCall(permissions, {}, approved)
    const changed = requestCall(permissions, {}, { ...approved, definition: { description: 'Other' } })
    await expect(changed).rejects.toThrow('the tool has changed')
  })
})

describe('a tool is known to be unchanged', () => {
  test('for each principal who called it', () => {
    const permission = permissionOfTool(openPermissions())
    expect(permission.isSettled({}, 'alice')).toBe(false)
    permission.settle('alice')
    expect(['alice', 'bob'].map((each) => permission.isSettled({}, each))).toEqual([true, false])
    permission.settle('bob')
    expect(['alice', 'bob'].map((each) => permission.isSettled({}, each))).toEqual([true, true])
    expect(permission.isSettled({ path: '.mcp.json' }, 'alice')).toBe(false)
  })

  test('of at most ten thousand principals', () => {
    const permission = permissionOfTool(openPermissions())
    for (let index = 0; index < 10_000; index++) permission.settle(`${index}`)
    expect(permission.isSettled({}, '0')).toBe(true)
    permission.settle('more')
    expect(['0', 'more'].map((each) => permission.isSettled({}, each))).toEqual([false, true])
  })

  test('after a call that a rule allows, and needs no comparison in mode yolo', async () => {
    const permissions = openPermissions({ rules: { allow: ['mcp:*'] } })
    const permission = permissionOfTool(permissions)
    const { signal } = new AbortController()
    const request = { args: {}, origin: alice, approver: undefined, signal }
    await permissions.permit(permission, request, permission.decide({}, 'alice'))
    expect(permission.isSettled({}, 'alice')).toBe(true)
    const careless = permissionOfTool(openPermissions({ rules: { mode: 'yolo' } }))
    expect(careless.isSettled({}, 'alice')).toBe(true)
  })
})

test('what could not be stored is reported by name', async () => {
  const broken = () => Promise.reject(new Error('disk full'))
  const events: unknown[] = []
  const permissions = openPermissions({
    grants: { ...memoryGrantStore(), add: broken },
    pins: { ...memoryPinStore(), set: broken },
    emit: (event) => void (event.type === 'diagnostic' && events.push(event)),
  })
  await requestCall(permissions, {}, { approver: person(() => ({ action: 'accept', decision: 'always' })) })
  expect(events).toMatchObject(
    ['what the tool is like', 'the approval'].map((what) => ({
      code: 'approval_not_kept',
      server: 'files',
      message: `files__write was allowed, but ${what} could not be kept (disk full); it will be asked about again`,
    })),
  )
})

describe('the question about a tool that cannot be compared', () => {
  const rules = { allow: ['mcp:*'] }

  test.each<[string, Partial<PinStore>, object]>([
    [
      'the pin cannot be read',
      { get: () => Promise.reject(new Error('damaged')) },
      {
        message:
          'files__write cannot be compared with its approved version. Allow this call, and the tool as it is now?',
        reason: 'the approved version cannot be read: damaged',
        decisions: ['once'],
      },
    ],
    [
      'the pin cannot be stored',
      { set: () => Promise.reject(new Error('full')) },
      {
        message:
          'The definition of files__write cannot be stored, so later changes would go unnoticed. Allow this one call?',
        reason: 'its definition cannot be stored: full',
        decisions: ['once'],
      },
    ],
  ])('because %s', async (_why, broken, question) => {
    const permissions = openPermissions({ rules, pins: { ...memoryPinStore(), ...broken } })
    const approver = person(() => ({ action: 'accept' }))
    await requestCall(permissions, {}, { approver })
    expect(approver.asked).toMatchObject([question])
  })

  test('or has changed offers only this call where a rule allows it, and all where somebody is asked', async () => {
    const changed = { definition: { description: 'Other' } }
    for (const [decisions, setup] of [
      [1, { rules }],
      [4, {}],
    ] as const) {
      const permissions = openPermissions(setup)
      const approver = person(() => ({ action: 'accept' }))
      await requestCall(permissions, {}, { approver })
      await requestCall(permissions, {}, { approver, ...changed })
      expect(approver.asked.at(-1)).toMatchObject({
        message:
          'files__write has changed since it was approved. Allow this call, and the tool as it is now?',
        reason: 'the tool has changed',
        decisions: { length: decisions },
      })
    }
  })
})

test('a path is withheld from a server by the rule that denies every call with it', () => {
  const rule = 'mcp://files/*(path=/etc/**)'
  const permissions = openPermissions({ rules: { deny: [rule] } })
  const server = { spec: nodeServer('files', 'x.mjs'), authority: local }
  expect(permissions.ruleAgainst('/etc/nginx', server, 'alice')).toBe(rule)
  expect(permissions.ruleAgainst('/home', server, 'alice')).toBeUndefined()
  const mail = { ...server, spec: nodeServer('mail', 'x.mjs') }
  expect(permissions.ruleAgainst('/etc/nginx', mail, 'alice')).toBeUndefined()
  const elsewhere = { ...server, authority: { kind: 'session' } as const }
  expect(permissions.ruleAgainst('/etc/nginx', elsewhere, 'alice')).toBe(rule)
})

test('a path is withheld from a server by a rule about the folder it works in', () => {
  const rule = 'mcp://files/*(path=secret/**)'
  const permissions = openPermissions({ rules: { deny: [rule] } })
  const spec = nodeServer('files', 'x.mjs')
  expect(permissions.ruleAgainst('/p/secret', { spec, authority: local }, 'alice')).toBe(rule)
  expect(
    permissions.ruleAgainst('/p/secret', { spec, authority: { kind: 'session' } }, 'alice'),
  ).toBeUndefined()
})

describe('the machine of a server', () => {
  const spec = nodeServer('files', 'x.mjs')

  test('is this one only for local programs', () => {
    expect(machineOf({ spec, authority: { kind: 'session' } })).toBeUndefined()
    const { command: _command, args: _args, env: _env, ...commons } = spec
    const remote: ServerSpec = { ...commons, transport: 'http', url: 'https://example.com', headers: {} }
    expect(machineOf({ spec: remote, authority: local })).toBeUndefined()
    expect(machineOf({ spec, authority: local })).toEqual({ home: '/home/me', folders: ['/p'] })
  })

  test('has the home folder of its environment', () => {
    const home = (env: Record<string, string>) => machineOf({ spec, authority: { ...local, env } })?.home
    expect(home({ HOME: '/a', USERPROFILE: '/b' })).toBe('/a')
    expect(home({ USERPROFILE: '/b' })).toBe('/b')
    expect(home({})).toBe(homedir())
  })

  test.each([
    ['sub', ['/p', '/p/sub']],
    ['/opt/x', ['/p', '/opt/x']],
    ['~', ['/p', '/home/me']],
    ['~/x', ['/p', '/home/me/x']],
    ['~x', ['/p', '/p/~x']],
    ['x/~/y', ['/p', '/p/x/~/y']],
    ['.', ['/p']],
    ['${HOME}/x', ['/p']],
    ['%HOME%', ['/p']],
    ['{env:HOME}', ['/p']],
  ])('works in %s', (cwd, folders) => {
    expect(machineOf({ spec: { ...spec, cwd }, authority: local })?.folders).toEqual(folders)
  })
})

describe('a person sees', () => {
  test('at most 200 characters of a call in one line', () => {
    const detail = (length: number) => approvalDetail('t', { a: 'x'.repeat(length) })
    expect(detail(190)).toBe(`t {"a":"${'x'.repeat(190)}"}`)
    expect(detail(190)).toHaveLength(200)
    expect(detail(191)).toBe(`t {"a":"${'x'.repeat(191)}…`)
    expect(detail(100_000)).toHaveLength(200)
    expect(Array.from(approvalDetail('t', { a: '😀'.repeat(300) }))).toHaveLength(200)
    expect(approvalDetail('t', { a: 'x\u202E' })).toBe(String.raw`t {"a":"x\u202e"}`)
  })

  test('at most 64 Ki characters of the arguments, and how many are left out', () => {
    const around = JSON.stringify({ a: '' }, null, 2).length
    const shown = (a: string) => shownArguments({ a })
    const lengths = (a: string) => [shown(a).text.length, shown(a).omitted]
    const fits = 'x'.repeat(65_536 - around)
    expect(shown('x')).toEqual({ text: '{\n  "a": "x"\n}', omitted: 0 })
    expect(lengths(fits)).toEqual([65_536, 0])
    expect(lengths(`${fits}xx`)).toEqual([65_536, 2])
    expect(lengths(`${fits}xx😀`)).toEqual([65_535, 5])
    expect(shown('\u200B').text).toContain(String.raw`\u200b`)
  })
})
