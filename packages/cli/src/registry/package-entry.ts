import { UsageError } from '../usage-error.ts'
import type { DefinedEntry, GivenValues } from './defined-entry.ts'
import { checked, type InputReferences } from './input-references.ts'
import type { NamedInput, RegistryArgument, RegistryPackage } from './server-document.ts'

/** How packages of one kind are started. */
interface Runner {
  readonly command: string
  /** Arguments before the package. */
  readonly args: readonly string[]
  /** Between the name of the package and its version. */
  readonly separator: string
  readonly name: RegExp
  /** Exact versions only: no ranges and tags. npm takes one that ends like an archive for a file of the current folder. */
  readonly version: RegExp
  /** Options of the runner that a publisher may set, with the pattern of their value. Others could start another package. */
  readonly options: Readonly<Record<string, RegExp | undefined>>
}

const runners: Readonly<Record<string, Runner>> = {
  npm: {
    command: 'npx',
    args: ['-y'],
    separator: '@',
    name: /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
    version: /^(?!.*\.(?:tgz|tar|tar\.gz)$)\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/i,
    options: { '-y': undefined, '--yes': undefined, '-q': undefined, '--quiet': undefined },
  },
  pypi: {
    command: 'uvx',
    args: [],
    separator: '==',
    name: /^[a-z\d](?:[\w.-]*[a-z\d])?$/i,
    version: /^(?:\d+!)?\d[\w.+-]*$/,
    options: { '-q': undefined, '--quiet': undefined, '-p': /^[\d.]+$/, '--python': /^[\d.]+$/ },
  },
}

/** Kinds of packages that can be started. */
export const packageTypes: readonly string[] = Object.keys(runners)

/** Whether a package can be started and speaks over its standard streams. */
export function isStartable({ registryType, transport }: RegistryPackage): boolean {
  return Object.hasOwn(runners, registryType) && transport === 'stdio'
}

/** The entry that starts exactly the version of a package that the registry names. */
export function packageEntry(
  described: RegistryPackage,
  given: GivenValues,
  references: InputReferences,
): DefinedEntry {
  const runner = runners[described.registryType]
  if (runner === undefined) throw new UsageError(`unsupported package type "${described.registryType}"`)
  const environment = environmentOf(described.environmentVariables, given.env, references)
  const args = [
    ...runner.args,
    ...runtimeWords(described, runner, references),
    pinnedPackage(described, runner),
    ...packageWords(described.packageArguments, given.args, references),
  ]
  const optional = described.packageArguments.filter((each) => given.args === undefined && isLeftOut(each))
  return {
    entry: { command: runner.command, args, env: { ...environment.values, ...given.env } },
    optional: [...environment.optional, ...optional.map(({ label }) => label)],
  }
}

function pinnedPackage({ registryType, identifier, version }: RegistryPackage, runner: Runner): string {
  if (!runner.name.test(identifier))
    throw new UsageError(
      `the registry names an invalid ${registryType} package: ${JSON.stringify(identifier)}`,
    )
  if (version === undefined || !runner.version.test(version))
    throw new UsageError(
      `the registry names no exact version of the ${registryType} package ${identifier}: ${JSON.stringify(version ?? '')}`,
    )
  return `${identifier}${runner.separator}${version}`
}

function runtimeWords(
  { runtimeHint, runtimeArguments }: RegistryPackage,
  runner: Runner,
  references: InputReferences,
): readonly string[] {
  const words = runtimeArguments.flatMap((each) => argumentWords(each, references))
  const unsupported =
    words.length > 0 && runtimeHint !== undefined && runtimeHint !== runner.command
      ? runtimeHint
      : unsupportedWord(words, runner.options)
  if (unsupported !== undefined)
    throw new UsageError(
      `the registry starts the package with ${JSON.stringify(unsupported)}, which could change what runs. If you trust it, add the command yourself: toolbridge add <name> -- ${runner.command} …`,
    )
  return words.filter((word) => !runner.args.includes(word) && word !== '--yes')
}

/** The first word that is neither a known option nor its value. An option without its value would take the package for one. */
function unsupportedWord(words: readonly string[], options: Runner['options']): string | undefined {
  return words.find((word, index) => {
    const isOption = Object.hasOwn(options, word)
    const [option = '', value = ''] = isOption ? [word, words[index + 1]] : [words[index - 1], word]
    const isComplete = options[option]?.test(value) ?? isOption
    return !(Object.hasOwn(options, option) && isComplete)
  })
}

/** Words that a person gives replace the arguments whose values the publisher leaves open. */
function packageWords(
  described: readonly RegistryArgument[],
  given: readonly string[] | undefined,
  references: InputReferences,
): readonly string[] {
  const used = given === undefined ? described : described.filter(({ value }) => value !== undefined)
  return [...used.flatMap((each) => argumentWords(each, references)), ...(given ?? [])]
}

/** An option and its value are two words, as in other hosts. Each is one argument, whatever characters it has. */
function argumentWords(argument: RegistryArgument, references: InputReferences): readonly string[] {
  const { option, label } = argument
  const value = references.valueOf(label, argument)
  if (value === undefined) return []
  if (option === undefined) return [value]
  const written = references.filled(option, {})
  return value === '' ? [written] : [written, value]
}

function isLeftOut({ value, default: usual, isRequired, isSecret }: RegistryArgument | NamedInput): boolean {
  return value === undefined && !isRequired && (usual === undefined || isSecret)
}

/** Variables by which a package could start other code than the one that is shown, or trust other servers. */
const loaderVariables = new RegExp(
  `^(?:${[
    'npm_config_.*|prefix|uv_.*|pip_.*',
    'ld_.*|dyld_.*|glibc_tunables|gconv_path|openssl_.*|ssl_cert_.*|.*_ca_bundle|.*_proxy',
    'node_(?!env$).*|python(?!unbuffered$|ioencoding$|utf8$|dontwritebytecode$).*',
    'perl5.*|ruby(?:opt|lib)|(?:_|jdk_)?java_(?:tool_)?options',
    'git_(?:ssh|config|exec_path|askpass|editor|pager|proxy_command|external_diff|template_dir).*',
    'path|home|userprofile|(?:local)?appdata|xdg_.*|tmpdir|te?mp|shell|comspec|browser|editor|visual|pager',
    'bash_.*|env|ifs|ps4|prompt_command|toolbridge_.*',
  ].join('|')})$`,
  'i',
)

function environmentOf(
  variables: readonly NamedInput[],
  given: Readonly<Record<string, string>>,
  references: InputReferences,
): { readonly values: Readonly<Record<string, string>>; readonly optional: readonly string[] } {
  const open = variables.filter(({ name }) => !Object.hasOwn(given, name))
  const values = open.flatMap((variable) => {
    const { name } = variable
    if (!/^[a-z_]\w*$/i.test(checked(name)))
      throw new UsageError(`the registry names an invalid environment variable: ${JSON.stringify(name)}`)
    const reference = `\${env:${name}}`
    const value = references.valueOf(name, variable, () => reference)
    if (value !== undefined && value !== reference && loaderVariables.test(name))
      throw new UsageError(
        `the registry sets the environment variable ${name}, which could change what runs. If you trust it, set it yourself: --env ${name}=…`,
      )
    return value === undefined ? [] : [[name, value] as const]
  })
  return { values: Object.fromEntries(values), optional: open.filter(isLeftOut).map(({ name }) => name) }
}
