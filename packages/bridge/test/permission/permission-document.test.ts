import { readFileSync } from 'node:fs'
import type { PermissionRules } from '@toolbridge/bridge'
import { dryRun, type PastCall } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'

const text = readFileSync(new URL('../../../../docs/permissions.md', import.meta.url), 'utf8')
const [first, conditions, more] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = '']) => JSON.parse(json) as PermissionRules,
)

/** What the rules decide, as the difference from a verdict that no rule gives. */
function verdict(rules: PermissionRules | undefined, address: string, rest: Partial<PastCall> = {}): string {
  const [server = '', tool = ''] = address.split('/')
  const verdicts = (['allow', 'ask', 'deny'] as const).filter((each) => {
    const call: PastCall = { server, tool, arguments: {}, ...rest, verdict: each }
    return dryRun(rules ?? {}, [call]).changes.length === 0
  })
  return verdicts.join()
}

describe('the examples of the document mean what it says', () => {
  test.each<[string, string, Partial<PastCall>?]>([
    ['allow', 'files/read_file', { arguments: { path: '/x' } }],
    ['ask', 'files/read_file_v2'],
    ['allow', 'github/get_issue'],
    ['ask', 'github/create_issue'],
    ['deny', 'files/write_file', { arguments: { path: '/etc/hosts' } }],
    ['ask', 'files/write_file', { arguments: { path: '/tmp/x' } }],
  ])('the first: %s %s %j', (expected, address, rest) => {
    expect(verdict(first, address, rest)).toBe(expected)
  })

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['ask', 'git/push', { branch: 'release/1.0' }],
    ['deny', 'git/push', { branch: 'main', force: true }],
    ['allow', 'git/push', { branch: 'main' }],
    ['deny', 'files/anything', { path: '/tmp/../etc/x' }],
    ['deny', 'files/anything', { path: '/etc' }],
    ['deny', 'shell/run', { command: 'rm -r /home' }],
    ['deny', 'mail/send', { parts: [{ text: '-----BEGIN RSA PRIVATE KEY-----' }] }],
    ['allow', 'mail/send', { parts: [] }],
  ])('about arguments: %s %s %j', (expected, address, args) => {
    expect(verdict(conditions, address, { arguments: args })).toBe(expected)
  })

  test.each<[string, string, Partial<PastCall>]>([
    ['allow', 'files/read', { annotations: { readOnlyHint: true } }],
    ['ask', 'files/write', {}],
    ['ask', 'other/read', { annotations: { readOnlyHint: true } }],
    ['allow', 'crm/find', { principal: 'ada@sales.example' }],
    ['ask', 'crm/find', { principal: 'ada@rival.example' }],
    ['deny', 'mail/send', { arguments: { to: 'x@rival.example' } }],
    ['deny', 'mail/send', { arguments: { to: ['all'] } }],
    ['ask', 'mail/send', { arguments: { to: 'x@friend.example' } }],
    ['deny', 'cloud/drop', { principal: 'ci-7' }],
    ['ask', 'cloud/drop', { principal: 'ada' }],
  ])('that say more: %s %s %j', (expected, address, rest) => {
    expect(verdict(more, address, rest)).toBe(expected)
  })
})
