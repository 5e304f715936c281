import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { Authority, ServerSpec } from '../config/spec/server-spec.ts'
import { entryHash } from '../config/trust/trust-store.ts'
import type { ControlFiles, Machine } from './control-files/control-files.ts'
import { compileDecision, type Decide } from './rules/decide.ts'
import { type Pin, type PinKey, pinOf } from './pins/pins.ts'
import type { CompiledRules } from './rules/rules.ts'
import { toolSubject } from './rules/subject.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A server definition with its authority. */
export interface ServerWithAuthority {
  readonly spec: ServerSpec
  readonly authority: Authority
}

/** The permission check of one tool. */
export class ToolPermission {
  readonly tool: BridgeTool
  /** Applies the rules. Only `deny` is final: see `isSettled` and `Permissions.permit`. */
  readonly decide: Decide
  readonly #spec: ServerSpec
  readonly #controlFiles: ControlFiles | undefined
  readonly #machine: Machine | undefined
  readonly #comparesPins: boolean
  readonly #unchangedFor = new Set<string>()
  /** The last principal added. Consecutive calls are mostly of the same one. */
  #latest: string | undefined
  #definitionHash: string | undefined
  #pin: Pin | undefined

  constructor(
    tool: BridgeTool,
    server: ServerWithAuthority,
    compiled: CompiledRules,
    controlFiles: ControlFiles,
  ) {
    const { approval, readOnly } = server.spec
    this.tool = tool
    this.#spec = server.spec
    this.#machine = machineOf(server)
    this.#comparesPins = compiled.mode !== 'yolo'
    const isKnownToRead =
      tool.definition.annotations?.readOnlyHint === true && compiled.trustsAnnotationsOf(tool.server)
    this.#controlFiles = isKnownToRead ? undefined : controlFiles
    this.decide = compileDecision(toolSubject(tool), compiled, {
      defined: { approval, readOnly },
      folders: this.#machine?.folders ?? [],
    })
  }

  /**
   * Whether an allowed call needs no further check: the tool is known to be unchanged for this principal, and the
   * arguments cannot name a control file.
   */
  isSettled(args: Arguments, principal: string): boolean {
    const isUnchanged = !this.#comparesPins || this.#latest === principal || this.#unchangedFor.has(principal)
    return isUnchanged && this.#controlFiles?.mayBeNamed(args, this.#machine) !== true
  }

  get comparesPins(): boolean {
    return this.#comparesPins
  }

  /** Pin of the current tool definition. */
  get pin(): Pin {
    this.#pin ??= pinOf(this.tool.definition)
    return this.#pin
  }

  keyOf(principal: string): PinKey {
    this.#definitionHash ??= entryHash(this.#spec)
    return { principal, server: this.tool.server, definition: this.#definitionHash, tool: this.tool.rawName }
  }

  /** Records that the tool is unchanged for a principal. */
  settle(principal: string): void {
    if (this.#unchangedFor.size >= maxSettled) this.#unchangedFor.clear()
    this.#unchangedFor.add(principal)
    this.#latest = principal
  }

  /** Returns the argument text that names a control file, if the call could write one. */
  async controlFileIn(args: Arguments, signal: AbortSignal): Promise<string | undefined> {
    if (this.#controlFiles?.mayBeNamed(args, this.#machine) !== true) return undefined
    return this.#controlFiles.namedBy(args, this.#machine, signal)
  }
}

const maxSettled = 10_000

/** Only a process on this machine accesses its files; for other servers a path is just text. */
export function machineOf({ spec, authority }: ServerWithAuthority): Machine | undefined {
  if (spec.transport !== 'stdio' || authority.kind !== 'local') return undefined
  const { env, workspaceFolder } = authority
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  const { cwd } = spec
  const isPlain = cwd !== undefined && !/[$%{]/.test(cwd)
  const own = isPlain
    ? [
        resolve(
          workspaceFolder,
          cwd.replace(/^~(?=\/|$)/, () => home),
        ),
      ]
    : []
  return { home, folders: [...new Set([workspaceFolder, ...own])] }
}
