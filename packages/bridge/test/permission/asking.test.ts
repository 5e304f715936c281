import type { Answer, Answerer, BridgeEvent, Clock } from '@toolbridge/bridge'
import { describe, expect, test } from 'vitest'
import { createEmit } from '../../src/journal/events/emit.ts'
import type { Permissions } from '../../src/permission/permissions.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { alice, openPermissions, type PermissionsSetup, person, requestCall } from './open-permissions.ts'

const yes = { action: 'accept' } as const
const { signal } = new AbortController()
const sampling: Subject = { namespace: 'sampling', server: 'files', item: 'message' }

function recorded(setup: PermissionsSetup = {}): { permissions: Permissions; events: BridgeEvent[] } {
  const events: BridgeEvent[] = []
  return {
    permissions: openPermissions({ emit: createEmit((event) => void events.push(event)), ...setup }),
    events,
  }
}

/** An answerer that is asked and says nothing. `asked` resolves with the signal that withdraws the question. */
function silent(): { readonly approver: Answerer; readonly asked: Promise<AbortSignal> } {
  const approver: Answerer = { ask: () => Promise.reject(new Error('not ready')) }
  const asked = new Promise<AbortSignal>((resolve) => {
    approver.ask = (_question, options) => {
      resolve(options.signal)
      return new Promise(() => {})
    }
  })
  return { approver, asked }
}

describe('a call that needs an approval', () => {
  test('is denied if the answerer cannot show approvals', async () => {
    const approver = { ...person(() => yes), kinds: ['form'] as const }
    await expect(requestCall(openPermissions(), {}, { approver })).rejects.toMatchObject({
      code: 'no_answerer',
      message:
        'files__write needs an approval (mode ask) and there is no answerer; allow it by a rule or give an answerer',
    })
    expect(approver.asked).toEqual([])
  })

  test('is denied if the answerer fails, with the reason as the cause', async () => {
    const cause = new Error('no line')
    const { permissions, events } = recorded()
    const approver = { ask: () => Promise.reject(cause) }
    await expect(requestCall(permissions, {}, { approver })).rejects.toMatchObject({
      code: 'no_answerer',
      message: 'the approval of files__write failed: the answerer could not ask',
      cause,
    })
    expect(events).toMatchObject([
      { type: 'question.asked', kind: 'approval', server: 'files', origin: alice },
      { type: 'question.answered', server: 'files', action: 'cancel' },
    ])
  })

  test('is denied if nobody decides in time, and the question is withdrawn', async () => {
    const clock = new ManualClock()
    const { permissions, events } = recorded({ clock, answerTimeoutMs: 5_000 })
    const { approver, asked } = silent()
    const call = requestCall(permissions, {}, { approver })
    const withdrawn = await asked
    clock.advance(4_999)
    expect(withdrawn.aborted).toBe(false)
    clock.advance(1)
    await expect(call).rejects.toMatchObject({
      code: 'approval_expired',
      message: 'the approval of files__write was cancelled or timed out',
    })
    expect(withdrawn.aborted).toBe(true)
    expect(events.at(-1)).toMatchObject({ type: 'question.answered', action: 'cancel' })
  })

  test('ends with the reason of its signal, and the question is withdrawn', async () => {
    const { approver, asked } = silent()
    const controller = new AbortController()
    const call = requestCall(openPermissions(), {}, { approver, signal: controller.signal })
    const withdrawn = await asked
    const reason = new Error('cancelled by the caller')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(withdrawn.aborted).toBe(true)
  })

  test('is refused by the person in words of its own', async () => {
    const { permissions, events } = recorded()
    const approver = person(() => ({ action: 'decline' }))
    await expect(requestCall(permissions, {}, { approver })).rejects.toMatchObject({
      code: 'approval_refused',
      message: 'the call of files__write was refused',
    })
    expect(events.at(-1)).toMatchObject({ type: 'question.answered', server: 'files', action: 'decline' })
  })

  test('shows the person who calls what, with which arguments', async () => {
    const approver = person(() => yes)
    await requestCall(openPermissions(), { path: '/a' }, { approver })
    expect(approver.asked).toEqual([
      {
        kind: 'approval',
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        origin: alice,
        server: 'files',
        tool: 'files__write',
        message: 'Allow this call of files__write?',
        reason: 'mode ask',
        decisions: ['once', 'session', 'tool', 'always'],
        detail: 'files__write {"path":"/a"}',
        arguments: { text: '{\n  "path": "/a"\n}', omitted: 0 },
      },
    ])
  })

  test('leaves no timer behind, however it ends', async () => {
    const timers = { started: 0, stopped: 0 }
    const clock: Clock = {
      now: () => 0,
      after: () => {
        timers.started += 1
        return () => void (timers.stopped += 1)
      },
    }
    const permissions = openPermissions({ clock })
    await requestCall(permissions, {}, { approver: person(() => yes) })
    const unable = { ask: () => Promise.reject(new Error('no line')) }
    await expect(requestCall(permissions, {}, { approver: unable })).rejects.toThrow('could not ask')
    expect(timers).toEqual({ started: 2, stopped: 2 })
  })

  test('is asked about by an id that is told in the journal', async () => {
    const { permissions, events } = recorded()
    const approver = person(() => yes)
    await requestCall(permissions, {}, { approver })
    const questionId = approver.asked[0]?.id
    expect(events).toMatchObject([
      { type: 'question.asked', questionId },
      { type: 'question.answered', questionId, action: 'accept' },
    ])
  })

  test('offers no rest of the conversation to an anonymous caller, and takes no such answer', async () => {
    const permissions = openPermissions()
    const approver = person(() => ({ ...yes, decision: 'tool' }))
    const origin = { ...alice, isAnonymous: true }
    await requestCall(permissions, {}, { approver, origin })
    await requestCall(permissions, {}, { approver, origin })
    expect(approver.asked.map(({ decisions }) => decisions)).toEqual([
      ['once', 'always'],
      ['once', 'always'],
    ])
  })
})

describe('the use of something else than a tool', () => {
  const request = (approver?: Answerer) => ({ args: { n: 1 }, origin: alice, approver, signal })

  test('is denied by a rule', async () => {
    const permissions = openPermissions({ rules: { deny: ['sampling:files'] } })
    await expect(permissions.permitAbout(sampling, request())).rejects.toMatchObject({
      code: 'denied',
      message: 'a sampling of server "files" may not be used: rule deny sampling:files',
    })
  })

  test('is allowed by a rule, for this reason', async () => {
    const permissions = openPermissions({ rules: { allow: ['sampling:files'] } })
    expect(await permissions.permitAbout(sampling, request())).toBe('rule allow sampling:files')
  })

  test('is asked about once per use, or once per conversation', async () => {
    for (const [decision, count] of [
      ['once', 2],
      ['session', 1],
      ['always', 2],
    ] as const) {
      const approver = person((): Answer => ({ ...yes, decision }))
      const permissions = openPermissions()
      expect(await permissions.permitAbout(sampling, request(approver))).toBe('approved')
      expect(await permissions.permitAbout(sampling, request(approver))).toBe('approved')
      expect(approver.asked).toHaveLength(count)
      expect(approver.asked[0]).toMatchObject({
        server: 'files',
        tool: 'sampling://files/message',
        message: 'Allow sampling://files/message?',
        decisions: ['once', 'session'],
      })
    }
  })

  test('is asked about again with other arguments, elsewhere, and after the conversation', async () => {
    const approver = person(() => ({ ...yes, decision: 'session' }))
    const permissions = openPermissions()
    const asked = request(approver)
    await permissions.permitAbout(sampling, asked)
    await permissions.permitAbout(sampling, { ...asked, args: { n: 2 } })
    await permissions.permitAbout({ ...sampling, server: 'mail' }, asked)
    await permissions.permitAbout(sampling, { ...asked, origin: { ...alice, conversation: 'two' } })
    expect(approver.asked).toHaveLength(4)
    permissions.forget(alice)
    await permissions.permitAbout(sampling, asked)
    expect(approver.asked).toHaveLength(5)
  })

  test('of a question to a person is allowed unless a rule denies it for this caller', () => {
    const rules = { deny: [{ match: 'elicitation://files/url', principal: 'alice' }] }
    const permissions = openPermissions({ rules })
    expect(permissions.mayAsk('files', 'url', alice)).toBe(false)
    expect(permissions.mayAsk('files', 'form', alice)).toBe(true)
    expect(permissions.mayAsk('mail', 'url', alice)).toBe(true)
    expect(permissions.mayAsk('files', 'url', { ...alice, principal: 'bob' })).toBe(true)
  })
})
