import type { BridgeTool } from '../../catalog/bridge-tool.ts'
import type { Condition } from './argument-pattern.ts'
import { decoded, type Namespace, type Pattern, parsePattern } from './pattern.ts'
import {
  argumentPatterns,
  compileRules,
  type PermissionRule,
  type PermissionRules,
  type RuleKind,
} from './rules.ts'
import { toolSubject } from './subject.ts'

/** What a rule says, and which tools it covers. */
export interface RuleDescription {
  /** The list that the rule is in. */
  readonly kind: RuleKind
  /** Index in that list. */
  readonly index: number
  /** What the rule does, in one sentence. */
  readonly sentence: string
  /** Public names of the given tools that the rule covers, regardless of arguments. */
  readonly tools: readonly string[]
  /** Whether it covers only calls with certain arguments. */
  readonly dependsOnArguments: boolean
}

/**
 * Describes the rules of `allow`, `ask` and `deny`, in this order, and which of the tools each covers. Throws a `ConfigError` if the
 * rules are invalid.
 */
export function describeRules(
  rules: PermissionRules,
  tools: readonly BridgeTool[],
): readonly RuleDescription[] {
  const { rules: compiled } = compileRules(rules)
  const subjects = tools.map(toolSubject)
  return (['allow', 'ask', 'deny'] as const).flatMap((kind) =>
    (rules[kind] ?? []).map((source, index) => {
      const rule = compiled.find((each) => each.kind === kind && each.index === index)
      const covered = subjects.filter(
        (subject) => rule?.namespace === subject.namespace && rule.appliesTo(subject),
      )
      return {
        kind,
        index,
        sentence: ruleSentence(kind, source),
        tools: covered.flatMap(({ name }) => name ?? []),
        dependsOnArguments: (rule?.arguments.length ?? 0) > 0,
      }
    }),
  )
}

const verbs: Readonly<Record<RuleKind, string>> = {
  allow: 'Allows',
  ask: 'Asks before',
  deny: 'Denies',
}

function ruleSentence(kind: RuleKind, source: string | PermissionRule): string {
  const rule = typeof source === 'string' ? { match: source } : source
  const pattern = parsePattern(rule.match)
  if ('problem' in pattern) return `${pattern.problem}.`
  const parts = [
    verbs[kind],
    subjectText(pattern),
    ...annotationTexts(rule),
    ...conditionTexts(pattern, rule),
    ...(rule.principal === undefined ? [] : [`for ${rule.principal}`]),
  ]
  return `${parts.join(' ')}.`
}

const actions: Readonly<Record<Namespace, string>> = {
  mcp: 'calls of',
  resource: 'reading',
  prompt: 'getting',
  sampling: 'sampling requests of',
  elicitation: 'questions of',
}

function subjectText({ namespace, target }: Pattern): string {
  const action = actions[namespace]
  if (target.kind === 'name') return `${action} ${namedTools(target.name)}`
  const server = target.server === '*' ? 'any server' : decoded(target.server)
  if (namespace === 'sampling') return `${action} ${server}`
  if (namespace === 'elicitation') return `${questionText(target.item)} of ${server}`
  return `${action} ${itemsText(namespace, decoded(target.item))} of ${server}`
}

function namedTools(name: string): string {
  if (name === '*') return 'every tool'
  return name.includes('*') ? `the tools named ${name}` : `the tool ${name}`
}

const questionKinds: Readonly<Record<string, string>> = { form: 'forms', url: 'addresses to open' }

function questionText(item: string): string {
  const kind = questionKinds[item]
  return kind === undefined ? 'questions' : `questions with ${kind}`
}

const itemWords: Readonly<Partial<Record<Namespace, string>>> = {
  mcp: 'tool',
  resource: 'resource',
  prompt: 'prompt',
}

function itemsText(namespace: Namespace, item: string): string {
  const word = itemWords[namespace] ?? 'request'
  if (item === '*') return `every ${word}`
  return item.includes('*') ? `the ${word}s named ${item}` : `the ${word} ${item}`
}

const claims: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['only reads', 'may write'],
  destructiveHint: ['may destroy data', 'destroys no data'],
  idempotentHint: ['may be repeated without further effect', 'has a further effect when repeated'],
  openWorldHint: ['reaches the open world', 'stays in a closed world'],
}

function annotationTexts({ annotations = {} }: PermissionRule): readonly string[] {
  const claimed = Object.entries(annotations).flatMap(([name, value]) => {
    const texts = claims[name]
    return texts === undefined ? [] : [texts[value ? 0 : 1]]
  })
  return claimed.length === 0 ? [] : [`if the tool says that it ${claimed.join(' and ')}`]
}

function conditionTexts(pattern: Pattern, rule: PermissionRule): readonly string[] {
  const conditions = argumentPatterns(pattern, rule).map(
    ({ path, conditions: wanted }) => `${pathText(path)} ${wanted.map(conditionText).join(' or ')}`,
  )
  return conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`]
}

function pathText(path: readonly string[]): string {
  return path.join('.') === '**' ? 'any argument' : path.join('.')
}

function conditionText(condition: Condition): string {
  return condition.kind === 'glob' ? `matches ${condition.glob}` : `is ${JSON.stringify(condition.value)}`
}
