import { describe, expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { compileDecision } from '../../src/permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import { toolSubject } from '../../src/permission/rules/subject.ts'
import { argumentGroups } from './argument-cases.ts'
import { type CaseContext, nameGroups, type Verdict } from './cases.ts'

const groups = [...nameGroups, ...argumentGroups]

type Arguments = Readonly<Record<string, unknown>>

describe.each(groups)('$about', ({ rules, cases }) => {
  test.each(cases.map(([verdict, tool, args = {}, context = {}]) => ({ verdict, tool, args, context })))(
    '$verdict: $tool $args $context [S1-27] [S1-28] [S1-29] [d.6-2]',
    ({ verdict, tool, args, context }) => {
      expect(verdictOn(rules, tool, args, context)).toBe(verdict)
    },
  )
})

test('there are at least 150 cases', () => {
  expect(groups.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(150)
})

function verdictOn(rules: PermissionRules, call: string, args: Arguments, context: CaseContext): Verdict {
  const [server = '', name = ''] = call.split(' ')
  const { annotations, defined = {}, naming, principal = 'somebody', folder } = context
  const catalog = new Catalog(createEmit(undefined), naming)
  const definition = { name, inputSchema: {}, ...(annotations === undefined ? {} : { annotations }) }
  catalog.show([{ name: server, tools: [definition] }])
  const [tool] = catalog.tools
  if (tool === undefined) throw new Error('there is no tool')
  const folders = folder === undefined ? [] : [folder]
  return compileDecision(toolSubject(tool), compileRules(rules), { defined, folders })(args, principal)
    .verdict
}
