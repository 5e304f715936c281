import { entryHash, needsTrust, type ServerSpec } from '@toolbridge/bridge'
import { type Command, discoverOption, formatOptions, type Invocation, wantsJson } from '../../command.ts'
import { requireConfiguration } from '../../configuration.ts'
import { ExitCode } from '../../exit-code.ts'
import { isInteractive, print, printable, printError, printJson, type Terminal } from '../../terminal.ts'
import { describeEntry, isAgreed, trustStoreOf } from '../../trust.ts'
import { UsageError } from '../../usage-error.ts'

export const trustCommand: Command = {
  name: 'config trust',
  summary: 'Agree to servers that came with the project, or take that back',
  usage: [
    'Usage: toolbridge config trust [<name> …] [--yes | --forget] [--discover] [--format json [--pretty]]',
    '',
    'A project can name any program, so its servers start only after somebody agreed to exactly that entry of that file.',
    'Shows each entry as it is and asks; a change of the entry asks again. Without names it is about all that need it.',
    'Exit status: 0 all are trusted, 4 not all are, or there is no terminal to ask at.',
    '',
    '  --yes        agree without a question, for scripts that have read the file',
    '  --forget     take it back',
    '  --discover   also servers in the files of other hosts',
    '',
    'Examples:',
    '  toolbridge config trust files',
    '  toolbridge config trust files --forget',
  ].join('\n'),
  words: Infinity,
  options: { ...formatOptions, ...discoverOption, yes: { type: 'boolean' }, forget: { type: 'boolean' } },
  run: trust,
}

async function trust({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const { servers } = await requireConfiguration(terminal, options)
  const chosen = choose(servers, positionals)
  const store = trustStoreOf(terminal)
  for (const spec of chosen) {
    if (options['forget'] === true) await store.forget(entryHash(spec))
    else if (await isNewlyAgreed(spec, terminal, options['yes'] === true))
      await store.trust(entryHash(spec), `${spec.name} of ${spec.source.file}`)
  }
  const states = await Promise.all(
    chosen.map(async (spec) => ({
      name: spec.name,
      file: spec.source.file,
      isTrusted: await store.isTrusted(entryHash(spec)),
    })),
  )
  if (asJson) printJson(terminal, { servers: states }, options['pretty'] === true)
  else for (const state of states) print(terminal, line(state))
  const isDone = states.every(({ isTrusted }) => isTrusted === (options['forget'] !== true))
  return isDone ? ExitCode.Ok : ExitCode.Denied
}

function choose(servers: readonly ServerSpec[], names: readonly string[]): readonly ServerSpec[] {
  const ofProject = servers.filter(needsTrust)
  if (names.length === 0) return ofProject
  return names.map((name) => {
    const found = ofProject.find((spec) => spec.name === name)
    if (found !== undefined) return found
    const known = ofProject.map((spec) => spec.name).join(', ')
    throw new UsageError(`no server "${name}" came with the project. Those that did: ${known || 'none'}`)
  })
}

async function isNewlyAgreed(spec: ServerSpec, terminal: Terminal, isYes: boolean): Promise<boolean> {
  if (await trustStoreOf(terminal).isTrusted(entryHash(spec))) return false
  if (!isYes && isInteractive(terminal)) return isAgreed(terminal, spec)
  printError(terminal, describeEntry(spec))
  if (!isYes) printError(terminal, 'toolbridge: nobody can be asked here; --yes agrees to what is shown')
  return isYes
}

function line({ name, file, isTrusted }: { name: string; file: string; isTrusted: boolean }): string {
  return printable(`"${name}" of ${file} is ${isTrusted ? '' : 'not '}trusted`)
}
