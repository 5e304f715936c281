import { answerVariables, askedVariables, readConfig } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

function specOf(entry: object, inputs: readonly object[] = []) {
  const text = JSON.stringify({ inputs, mcpServers: { one: entry } })
  const [spec] = readConfig(text, { file: 'mcp.json', dialect: 'mcp-servers' }).servers
  if (spec === undefined) throw new TypeError('the entry is invalid')
  return spec
}

test('every input, variable and secret is asked for once, with its declaration', () => {
  const spec = specOf(
    {
      command: '${env:RUNNER:-npx}',
      args: ['${input:zone}', '${input:other}', '${workspaceFolder}'],
      env: { KEY: '${secret:key}', AGAIN: '${input:zone}' },
    },
    [{ type: 'pickString', id: 'zone', description: 'Where?', options: ['eu', 'us'] }],
  )
  expect(askedVariables(spec)).toEqual([
    { variable: 'env:RUNNER', isSecret: true, default: 'npx' },
    { variable: 'input:zone', description: 'Where?', options: ['eu', 'us'] },
    { variable: 'input:other' },
    { variable: 'secret:key', isSecret: true },
  ])
})

test.each([
  ['Bearer ${input:key}', 'Bearer a$b'],
  ['${input:key}${env:OTHER}', 'a$b${env:OTHER}'],
  ['${input:dollar}${env:OTHER}', '${$}${env:OTHER}'],
  ['${input:dollar}{env:OTHER}', '$${env:OTHER}'],
  ['${input:variable}', '$${env:HOME}'],
  ['${nothing} ${input:key}', '${nothing} ${input:key}'],
  ['${input:unanswered}', '${input:unanswered}'],
])('the answers in %j give %j, and nothing in them is a variable', (text, expected) => {
  const answers = new Map([
    ['input:key', 'a$b'],
    ['input:dollar', '$'],
    ['input:variable', '${env:HOME}'],
  ])
  const spec = specOf({ url: 'https://a.example/mcp', headers: { K: text } })
  expect(answerVariables(spec, answers)).toEqual({ ...spec, headers: { K: expected } })
})
