import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from '../../colors.ts'
import type { Invocation } from '../../command.ts'
import { loadConfiguration, printIssues } from '../../configuration.ts'
import { printResult } from '../../display/print-result.ts'
import { widthOf, wrapText } from '../../display/text-width.ts'
import { ExitCode } from '../../exit-code.ts'
import { effectivePermissions, type EffectivePermissions } from '../../permissions/effective-permissions.ts'
import {
  roleWords,
  type RulesFile,
  ruleText,
  type RuleSource,
  sourceText,
} from '../../permissions/sourced-rules.ts'
import { withUselessRules } from '../../permissions/useless-rules.ts'
import { print } from '../../terminal.ts'

interface ListedRule {
  /** `allow` of the command line also answers what asks. */
  readonly kind: 'deny' | 'ask' | 'allow'
  readonly rule: unknown
  readonly source: RuleSource
  /** Whether it is in a file that was found, which widens nothing. */
  readonly onlyRestricts: boolean
}

export async function listPermissions(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const loaded = await loadConfiguration(terminal, options)
  const permissions = await effectivePermissions(terminal, options, loaded?.files ?? [])
  const notes = permissions.files.flatMap((file) => withUselessRules(file).issues)
  const result = {
    mode: { value: permissions.mode.value, source: modeSource(permissions) },
    rules: listedRules(permissions),
    files: permissions.files.map(({ file, role, form, rules }) => ({
      file,
      role,
      form,
      mode: rules.mode ?? null,
    })),
    trustAnnotations: permissions.rules.trustAnnotations ?? [],
    notes,
  }
  printResult(invocation, result, () => {
    const [colors, width] = [colorsFor(terminal, terminal.stdout), widthOf(terminal.stdout)]
    for (const line of describe(permissions, result.rules, colors, width)) print(terminal, line)
    printIssues(terminal, notes)
  })
  return ExitCode.Ok
}

function listedRules({ sourced }: EffectivePermissions): readonly ListedRule[] {
  const rules = sourced.map(({ set, kind, rule, source }) => ({
    kind: kind === 'approve' ? ('allow' as const) : kind,
    rule,
    source,
    onlyRestricts: set > 0,
  }))
  return (['deny', 'ask', 'allow'] as const).flatMap((kind) => rules.filter((rule) => rule.kind === kind))
}

function modeSource({ mode: { from } }: EffectivePermissions): RuleSource {
  if (from === 'default') return {}
  return from === '--mode' ? { flag: from } : { file: from.file, ...from.positions.mode }
}

function describe(
  permissions: EffectivePermissions,
  rules: readonly ListedRule[],
  colors: Colors,
  width: number,
): readonly string[] {
  const { mode, files } = permissions
  const from = sourceText(modeSource(permissions)) || 'the default'
  return [
    ...wrapText(printable(`Mode ${mode.value}, from ${from}: ${modeWords[mode.value]}`), 0, width),
    '',
    colors.bold('Rules'),
    ...(rules.length === 0 ? ['  none'] : rules.flatMap((rule) => ruleLines(rule, colors, width))),
    '',
    colors.bold('Files'),
    ...(files.length === 0 ? ['  none'] : files.flatMap((file) => fileLines(file, width))),
  ]
}

const modeWords = {
  allow: 'calls without a rule are allowed',
  ask: 'calls without a rule need an approval',
  yolo: 'nothing is asked about; deny rules hold',
  plan: 'every call is denied',
} as const

const paint = { deny: 'red', ask: 'yellow', allow: 'green' } as const

function ruleLines(
  { kind, rule, source, onlyRestricts }: ListedRule,
  colors: Colors,
  width: number,
): readonly string[] {
  const [first = '', ...rest] = wrapText(printable(`${kind.padEnd(5)} ${ruleText(rule as string)}`), 2, width)
  const from = `${sourceText(source)}${onlyRestricts ? ' (only restricts)' : ''}`
  return [
    first.replace(kind, () => colors[paint[kind]](kind)),
    ...rest,
    ...wrapText(printable(from), 8, width).map((line) => colors.dim(line)),
  ]
}

function fileLines({ file, role, form, rules }: RulesFile, width: number): readonly string[] {
  const what = form === 'core-agent' ? ', in the form of core-agent' : ''
  const mode = rules.mode === undefined ? '' : `, mode ${rules.mode}`
  return wrapText(printable(`${file}: ${roleWords[role]}${what}${mode}`), 2, width)
}
