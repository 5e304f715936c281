import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { entryHash } from '../config/trust/trust-store.ts'
import type { Answerer, ApprovalDecision } from '../elicitation/question.ts'
import type { Origin } from '../origin.ts'
import { DeniedError } from '../errors.ts'
import { printable } from '@toolbridge/client/internal'
import { messageOf } from '../text/message-of.ts'
import { type ApprovalOptions, Approvals, type ApprovalPrompt } from './approvals/approvals.ts'
import { ControlFiles } from './control-files/control-files.ts'
import { compileDecision, type Decision } from './rules/decide.ts'
import type { Grant, GrantStore } from './approvals/grant-store.ts'
import {
  type StoredPin,
  controlFilePrompt,
  isUnchanged,
  unpinnedToolPrompt,
  changedToolPrompt,
  approvalPrompt,
} from './approvals/approval-prompts.ts'
import type { PinStore } from './pins/pins.ts'
import type { CompiledRules } from './rules/rules.ts'
import { ConversationGrants } from './approvals/conversation-grants.ts'
import type { Subject } from './rules/subject.ts'
import { machineOf, type ServerWithAuthority, ToolPermission } from './tool-permission.ts'
import { ruleAgainstPath } from './rules/path-scope.ts'
import { canonicalJson } from './rules/values.ts'

type Arguments = Readonly<Record<string, unknown>>

export interface PermissionsOptions extends ApprovalOptions {
  readonly grants: GrantStore
  readonly pins: PinStore
  /** The current definitions. */
  readonly definitions: () => readonly ServerSpec[]
}

/** A request for permission: arguments, caller and approver. */
export interface PermissionRequest {
  readonly args: Arguments
  readonly origin: Origin
  readonly approver: Answerer | undefined
  readonly signal: AbortSignal
  /** Whether a person has approved the call already. Default: false. */
  readonly isApproved?: boolean
  /** Id of the call in the journal. Empty or omitted if there is none. */
  readonly callId?: string
}

/** What rules and kept approvals say about a call. */
export interface CallPermission {
  /** `ask`: a person has to approve the call. */
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** The rule or mode that decided. */
  readonly reason: string
}

/** Decides whether calls may be made: by rules, grants, pins and approvals. */
export class Permissions {
  readonly #options: PermissionsOptions
  readonly #approvals: Approvals
  readonly #session = new ConversationGrants()
  #rules: CompiledRules
  #controlFiles: ControlFiles

  constructor(rules: CompiledRules, options: PermissionsOptions) {
    this.#options = options
    this.#approvals = new Approvals(options)
    this.#rules = rules
    this.#controlFiles = this.#controlFilesOf(rules)
  }

  /** Replaces the rules for calls that begin from now on. Checks that were prepared by `permissionOf` keep the old ones. */
  replaceRules(rules: CompiledRules): void {
    this.#rules = rules
    this.#controlFiles = this.#controlFilesOf(rules)
  }

  /** Prepares the permission check of one tool. */
  permissionOf(tool: BridgeTool, server: ServerWithAuthority): ToolPermission {
    return new ToolPermission(tool, server, this.#rules, this.#controlFiles)
  }

  /**
   * Finishes a decision of `permission.decide`: compares the tool with its pin, looks for control files in the arguments,
   * asks a person where needed. Resolves with the reason why the call may be made; rejects with a `DeniedError`, or with
   * the signal's reason.
   */
  async permit(permission: ToolPermission, request: PermissionRequest, decision: Decision): Promise<string> {
    const { tool } = permission
    if (decision.verdict === 'deny') throw denied(`${tool.name} may not be called`, decision)
    const controlFile = await permission.controlFileIn(request.args, request.signal)
    const promptOfTool = (): Promise<ApprovalPrompt | undefined> =>
      this.#promptFor(permission, request, decision)
    const currentPrompt = async (): Promise<ApprovalPrompt | undefined> =>
      controlFile === undefined
        ? promptOfTool()
        : controlFilePrompt(tool.name, controlFile, await promptOfTool())
    const prompt = await currentPrompt()
    if (prompt === undefined) return decision.verdict === 'allow' ? decision.reason : 'granted'
    if (request.isApproved === true && prompt.isAboutCallOnly === true) {
      await this.#keep(permission, request, decision, 'once')
      return 'approved'
    }
    await this.#approvals.ask(
      { ...request, server: tool.server, tool: tool.name },
      {
        prompt,
        currentPrompt,
        keep: async (answer) => {
          if (controlFile === undefined) await this.#keep(permission, request, decision, answer)
        },
      },
    )
    return 'approved'
  }

  /** Applies rules and kept approvals to a call without asking anybody. Pins and control files are left to `permit`. */
  async preview(permission: ToolPermission, args: Arguments, origin: Origin): Promise<CallPermission> {
    const decision = await permission.decide.inTurns(args, origin.principal)
    const { verdict, reason } = decision
    const isGranted = verdict === 'ask' && (await this.#isGranted(permission, origin, args, decision))
    return isGranted ? { verdict: 'allow', reason: 'granted' } : { verdict, reason }
  }

  /** Applies the rules to a subject other than a tool. */
  decideAbout(subject: Subject, origin: Origin, args: Arguments = {}): Decision {
    return compileDecision(subject, this.#rules)(args, origin.principal)
  }

  /** Does what `permit` does for a subject other than a tool. */
  async permitAbout(subject: Subject, request: PermissionRequest): Promise<string> {
    const decide = compileDecision(subject, this.#rules)
    const decision = await decide.inTurns(request.args, request.origin.principal, request.signal)
    const { namespace, server, item } = subject
    const shown = `${namespace}://${server}/${item}`
    if (decision.verdict === 'deny')
      throw denied(`a ${namespace} of server "${server}" may not be used`, decision)
    if (decision.verdict === 'allow') return decision.reason
    const spec = this.#options.definitions().find(({ name }) => name === server)
    const key = canonicalJson([spec && entryHash(spec), namespace, server, item, decision.asks, request.args])
    const open: ApprovalPrompt = {
      ...approvalPrompt(`Allow ${printable(shown)}?`, decision),
      decisions: ['once', 'session'],
    }
    await this.#approvals.ask(
      { ...request, server, tool: shown },
      {
        prompt: open,
        currentPrompt: async () => (this.#session.has(request.origin, key) ? undefined : open),
        keep: async (answer) => {
          if (answer === 'session') this.#session.add(request.origin, key)
        },
      },
    )
    return 'approved'
  }

  /** Whether a server may ask the person of an origin. */
  mayAsk(server: string, kind: 'form' | 'url', origin: Origin): boolean {
    return this.decideAbout({ namespace: 'elicitation', server, item: kind }, origin).verdict === 'allow'
  }

  /** The rule that denies every call of a server that names this path; undefined if there is none. */
  ruleAgainst(path: string, server: ServerWithAuthority, principal: string): string | undefined {
    const user = { server: server.spec.name, principal, folders: machineOf(server)?.folders ?? [] }
    return ruleAgainstPath(path, user, this.#rules)?.text
  }

  /** Forgets the grants of a conversation. */
  forget(origin: Origin): void {
    this.#session.forget(origin)
  }

  #controlFilesOf({ controlFiles }: CompiledRules): ControlFiles {
    return new ControlFiles(controlFiles, () => this.#options.definitions().map(({ source }) => source.file))
  }

  /** The question to ask a person; undefined when there is none. */
  async #promptFor(
    permission: ToolPermission,
    { origin, args }: PermissionRequest,
    decision: Decision,
  ): Promise<ApprovalPrompt | undefined> {
    const before = await this.#pinned(permission, origin.principal)
    const unlike = changedToolPrompt(before, permission, decision)
    if (unlike !== undefined) return unlike
    if (decision.verdict === 'allow') return this.#settle(permission, origin.principal, decision, before)
    if (await this.#isGranted(permission, origin, args, decision)) return undefined
    return approvalPrompt(`Allow this call of ${permission.tool.name}?`, decision)
  }

  /**
   * Pins a tool at its first call if a rule or definition allows it, so that later changes are noticed. A mode approves no
   * particular tool, so it pins nothing.
   */
  async #settle(
    permission: ToolPermission,
    principal: string,
    { by }: Decision,
    before: StoredPin,
  ): Promise<ApprovalPrompt | undefined> {
    const isFirst = before === undefined && by !== 'mode' && permission.comparesPins
    const problem = isFirst ? await this.#pinNow(permission, principal) : undefined
    if (problem !== undefined) return unpinnedToolPrompt(permission, problem)
    permission.settle(principal)
    return undefined
  }

  async #pinned(permission: ToolPermission, principal: string): Promise<StoredPin> {
    if (!permission.comparesPins) return undefined
    try {
      return await this.#options.pins.get(permission.keyOf(principal))
    } catch (error) {
      return { problem: messageOf(error) }
    }
  }

  async #isGranted(permission: ToolPermission, origin: Origin, args: Arguments, decision: Decision) {
    const grant = grantOf(permission, origin, decision)
    if (this.#session.has(origin, toolKey(grant)) || this.#session.has(origin, callKey(grant, args)))
      return true
    return this.#options.grants.has(grant).catch(() => false)
  }

  async #keep(
    permission: ToolPermission,
    { origin, args }: PermissionRequest,
    decision: Decision,
    answer: ApprovalDecision,
  ): Promise<void> {
    const grant = grantOf(permission, origin, decision)
    const before = await this.#pinned(permission, origin.principal)
    const problem = isUnchanged(before, permission)
      ? undefined
      : await this.#pinNow(permission, origin.principal)
    if (problem === undefined) permission.settle(origin.principal)
    else this.#tellNotKept(permission, 'what the tool is like', problem)
    if (answer === 'session') this.#session.add(origin, callKey(grant, args))
    if (answer === 'tool') this.#session.add(origin, toolKey(grant))
    if (answer === 'always')
      await this.#options.grants
        .add(grant)
        .catch((error: unknown) => this.#tellNotKept(permission, 'the approval', messageOf(error)))
  }

  /** Returns the problem if the pin could not be stored. */
  async #pinNow(permission: ToolPermission, principal: string): Promise<string | undefined> {
    try {
      await this.#options.pins.set(permission.keyOf(principal), permission.pin)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  #tellNotKept({ tool }: ToolPermission, what: string, problem: string): void {
    const message = `${tool.name} was allowed, but ${what} could not be kept (${problem}); it will be asked about again`
    this.#options.emit({ type: 'diagnostic', code: 'approval_not_kept', server: tool.server, message })
  }
}

function denied(what: string, { reason }: Decision): DeniedError {
  return new DeniedError(`${what}: ${reason}`, { code: 'denied' })
}

function grantOf(permission: ToolPermission, { principal }: Origin, { asks }: Decision): Grant {
  return { ...permission.keyOf(principal), pin: permission.pin.hash, asks }
}

function toolKey(grant: Grant): string {
  return canonicalJson([grant])
}

function callKey(grant: Grant, args: Arguments): string {
  return canonicalJson([grant, args])
}
