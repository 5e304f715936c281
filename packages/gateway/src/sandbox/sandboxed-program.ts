import type { ServerSpec, StdioServerSpec } from '@toolbridge/bridge'
import type { SandboxOptions } from './sandbox-options.ts'

/** Which programs may be saved: all, none, or those that a sandbox runs. */
export type ProgramRules = boolean | SandboxOptions

/** The program of a saved server. */
export type Program = Pick<StdioServerSpec, 'command' | 'args' | 'env'>

/** Why a program may not be saved: the field, as path in its entry, and the message. */
export interface ProgramRefusal {
  readonly field: readonly string[]
  readonly message: string
  readonly fix: string
}

/** Returns why the rules refuse a program. Commands are compared as whole argument vectors. */
export function programRefusals(program: Program, rules: ProgramRules): readonly ProgramRefusal[] {
  if (rules === true) return []
  if (rules === false) return [noPrograms]
  const { allow, env = [] } = rules
  const words = [program.command, ...program.args]
  const isAllowed = allow.some((allowed) => isSame(allowed, words))
  const foreign = Object.keys(program.env).filter((name) => !env.includes(name))
  return [...(isAllowed ? [] : [notAllowed]), ...foreign.map(foreignVariable)]
}

/** Returns the definition that starts the program in the sandbox, if there is one. */
export function sandboxed(spec: ServerSpec, rules: ProgramRules): ServerSpec {
  if (spec.transport !== 'stdio' || typeof rules === 'boolean') return spec
  const [command = '', ...before] = rules.command
  return { ...spec, command, args: [...before, spec.command, ...spec.args] }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index])
}

const elsewhere = 'use a server with a URL, disable it, or ask the operator'

const noPrograms: ProgramRefusal = {
  field: ['command'],
  message:
    'others than its owner can use this gateway, so it does not start programs that were saved in the console',
  fix: `${elsewhere} to add it to the configuration file of the gateway`,
}

const notAllowed: ProgramRefusal = {
  field: ['command'],
  message: 'the operator of this gateway does not allow this command with these arguments',
  fix: `${elsewhere} to allow the whole command`,
}

function foreignVariable(name: string): ProgramRefusal {
  return {
    field: ['env', name],
    message: `the operator of this gateway does not allow the environment variable "${name}"`,
    fix: 'remove it, or ask the operator to allow it',
  }
}
