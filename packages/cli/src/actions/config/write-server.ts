import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigChange,
  type EditFileOptions,
  editConfig,
  editConfigFile,
  readConfigText,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../../command.ts'
import { ExitCode } from '../../exit-code.ts'
import { print } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { editOptions, remindOfDialect, remindOfTrust, type TargetFile, targetFile } from './target.ts'

/** A server that can be written to a file without loss. */
export interface PlannedServer {
  readonly server: ServerSpec
  readonly target: TargetFile
  /** `replace` with `--replace`. */
  readonly kind: 'add' | 'replace'
}

/** Checks that a server can be added to the file that the options name. Writes nothing. */
export async function plannedServer(
  { options, terminal }: Invocation,
  server: ServerSpec,
): Promise<PlannedServer> {
  const target = await targetFile(terminal, options)
  const kind = options['replace'] === true ? 'replace' : 'add'
  await requireLossless(target.file, { kind, server }, editOptions(terminal, options))
  return { server, target, kind }
}

/** Writes a planned server and prints what is left to do. */
export async function writeServer(
  { options, terminal }: Invocation,
  { server, target, kind }: PlannedServer,
): Promise<ExitCode> {
  const { file } = target
  await editConfigFile(file, [{ kind, server }], editOptions(terminal, options))
  print(terminal, printable(`${kind === 'add' ? 'added' : 'wrote'} "${server.name}" in ${file}`))
  await remindOfDialect(terminal, file, options)
  remindOfTrust(terminal, target, [server.name])
  return ExitCode.Ok
}

/** Throws if the file's dialect cannot express every field. */
async function requireLossless(file: string, change: ConfigChange, settings: EditFileOptions): Promise<void> {
  const text = await readConfigText(file)
  const before = typeof text === 'string' ? text : ''
  const { unwritableFields } = namingReplace(() => editConfig(before, change, { ...settings, file }))
  const lost = unwritableFields.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  if (lost !== '') throw new UsageError(`nothing was written: ${file} cannot express every field: ${lost}`)
}

/** Names the option that replaces a server in the error about one of the same name. */
function namingReplace<Result>(edit: () => Result): Result {
  try {
    return edit()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw ConfigError.of(
      error.issues.map((issue) =>
        issue.code === 'server_exists'
          ? { ...issue, fix: 'choose another name, or replace the definition with --replace' }
          : issue,
      ),
    )
  }
}
