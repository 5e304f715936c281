import {
  type Answer,
  type Bridge,
  ConfigError,
  type PermissionRules,
  type Question,
} from '@toolbridge/bridge'
import { checkPermissions } from '@toolbridge/bridge/permissions'
import { ruleText } from '../../permissions/sourced-rules.ts'
import { findTool } from '../../servers/find-tool.ts'
import { UsageError } from '../../usage-error.ts'

/** A call that was allowed for the rest of the chat at a question. */
interface AllowedCall {
  readonly tool: string
  /** The arguments it was allowed for. Default: any. */
  readonly argumentsText?: string
}

/** What is approved in a chat: by rules, and by answers to questions. */
export class ChatApprovals {
  readonly #bridge: Bridge
  readonly #calls: AllowedCall[] = []
  #rules: PermissionRules
  #approved: readonly string[] = []

  constructor(bridge: Bridge, rules: PermissionRules) {
    this.#bridge = bridge
    this.#rules = rules
  }

  /** Remembers an answer that approves more than one call. Permanent approvals are stored elsewhere. */
  note(question: Question, answer: Answer): void {
    if (question.kind !== 'approval' || answer.action !== 'accept') return
    const {
      tool,
      arguments: { text },
    } = question
    if (answer.decision === 'tool') this.#calls.push({ tool })
    if (answer.decision === 'session') this.#calls.push({ tool, argumentsText: text })
  }

  /** Replaces the rules. Those that were approved in the chat stay in force. */
  setRules(rules: PermissionRules): void {
    this.#apply(rules, this.#approved)
  }

  /**
   * Approves what a rule covers, or a tool by any of its names. What a rule denies stays denied. Returns the rule, and the tools whose
   * calls needed an approval before.
   */
  async approve(text: string): Promise<{ readonly rule: string; readonly tools: readonly string[] }> {
    const rule = this.#ruleOf(text)
    const before = await this.#toolsThatAsk()
    this.#apply(this.#rules, [...this.#approved, rule])
    const after = new Set(await this.#toolsThatAsk())
    return { rule, tools: before.filter((name) => !after.has(name)) }
  }

  /** A line for everything that is approved. */
  async lines(): Promise<readonly string[]> {
    const { mode, allow = [], approve = [] } = this.#rules
    const calls = await Promise.all(
      this.#calls.map(async (call) => ((await this.#isAllowed(call)) ? [call] : [])),
    )
    return [
      ...(mode === 'allow' || mode === 'yolo' ? [`every call without a rule  by mode ${mode}`] : []),
      ...allow.map((rule) => `${ruleText(rule)}  by a rule`),
      ...approve.map((rule) => `${ruleText(rule)}  by --allow`),
      ...this.#approved.map((rule) => `${rule}  until the chat ends`),
      ...calls
        .flat()
        .map(({ tool, argumentsText }) => `${tool} ${argumentsText ?? ''}`.trim())
        .map((call) => `${call}  until the chat ends`),
    ]
  }

  #ruleOf(text: string): string {
    const rule = text.includes(':') ? text : (findTool(this.#bridge.tools, text)?.uri ?? text)
    try {
      checkPermissions({ allow: [rule] })
      return rule
    } catch (error) {
      if (error instanceof ConfigError) throw new UsageError(`invalid rule "${text}": ${error.message}`)
      throw error
    }
  }

  #apply(rules: PermissionRules, approved: readonly string[]): void {
    this.#bridge.setPermissions({ ...rules, approve: [...(rules.approve ?? []), ...approved] })
    this.#rules = rules
    this.#approved = approved
  }

  async #toolsThatAsk(): Promise<readonly string[]> {
    const asking = this.#bridge.tools.map(async ({ name }) => {
      const permission = await this.#bridge.permissionFor(name)
      return permission?.verdict === 'ask' ? [name] : []
    })
    return (await Promise.all(asking)).flat()
  }

  /** An approval ends when the tool, its server or a rule changes. */
  async #isAllowed({ tool, argumentsText }: AllowedCall): Promise<boolean> {
    const permission = await this.#bridge.permissionFor(tool, argumentsOf(argumentsText))
    return permission?.verdict === 'allow'
  }
}

function argumentsOf(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // Too long to be kept in full.
    return {}
  }
}
