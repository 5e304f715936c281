import { type Answerer, type BridgeTool, ConfigError } from '@toolbridge/bridge'
import { checkPermissions, dryRun } from '@toolbridge/bridge/permissions'
import { type Options, textOptions } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** Whether a call is approved on the command line: by `--yes`, or by a rule of `--allow` that covers it. */
export type IsApproved = (tool: BridgeTool, args: Readonly<Record<string, unknown>>) => boolean

/** Reads `--yes` and `--allow`. Throws if a rule is invalid. */
export function approvalsFrom(options: Options): IsApproved {
  const allow = textOptions(options, 'allow')
  for (const rule of allow) requireRule(rule)
  if (options['yes'] === true) return () => true
  if (allow.length === 0) return () => false
  return ({ server, rawName, name, definition: { annotations = {} } }, args) => {
    const call = { server, tool: rawName, name, arguments: args, annotations, verdict: 'ask' } as const
    return dryRun({ mode: 'ask', allow }, [call]).changes.some(({ after }) => after === 'allow')
  }
}

function requireRule(rule: string): void {
  try {
    checkPermissions({ allow: [rule] })
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`invalid --allow: ${error.message}`)
    throw error
  }
}

/**
 * Approves a call, and leaves other questions to the keyboard: also approvals of a changed tool and of a call that names a
 * control file, which only a person can give.
 */
export function approving(keyboard: Answerer | undefined): Answerer {
  return {
    ...(keyboard === undefined ? { kinds: ['approval'] as const } : {}),
    async ask(question, options) {
      const isOrdinary =
        question.kind === 'approval' && question.change === undefined && question.decisions?.length !== 1
      if (isOrdinary) return { action: 'accept', decision: 'once' }
      if (keyboard === undefined) throw new Error('there is no terminal')
      return keyboard.ask(question, options)
    },
  }
}
