import { withoutEnding } from '@toolbridge/client/internal'
import { isProgram, isReference, wordSet } from './plain-texts.ts'

/** Words of flags. A flag of other words could be a passphrase. */
const flagWords: ReadonlySet<string> = wordSet(`
  access account address agent all allow allowed api app args auth authorization base bearer bind
  branch browser cache cert client code color command config configuration connection context
  credential credentials data database db debug default deny dir directory disable dry enable endpoint
  env environment experimental file folder force format from header headers headless help host
  hostname http https id ignore import index init input insecure inspect interval isolated json key
  level limit local log logging max mcp memory min mode model module mount name network no offline
  only open option options org organization output package passphrase password pat path plugin port
  prefer prefix private profile project protocol provider proxy public pull python pw pwd quiet read
  readonly region remote repo repository require resource retries rm root run sandbox schema scope
  secret server session silent site size skip source sse ssl start stdio storage store stream strict
  target team tenant timeout tls token tool tools toolset toolsets trace transport type unsafe update
  url use user username vault verbose verify version volume watch with workers workspace write yes
`)

/** Flags whose number is a setting and no PIN. */
const numberFlags: ReadonlySet<string> = wordSet(`
  --port --timeout --limit --max --min --size --level --workers --retries --interval
`)

/** Programs whose first argument after these flags is a package or a script. */
const runners: ReadonlySet<string> = wordSet(`
  npx bunx pnpx uvx node python tsx ruby deno bun
`)
const runnerFlags: ReadonlySet<string> = new Set(['-y', '--yes', '-q', '--quiet', '--silent', '-m'])

/** Whether an argument of a program is surely no secret. */
export function isPlainArgument(args: readonly string[], index: number, command: string): boolean {
  const argument = args[index] ?? ''
  const before = args[index - 1] ?? ''
  const [, flag, value] = /^(--[a-z-]+)=(.*)$/s.exec(argument) ?? []
  if (flag !== undefined && value !== undefined) return isFlag(flag) && isPlainValue(value, flag)
  return (
    isFlag(argument) ||
    (isFlag(before) && isPlainValue(argument, before)) ||
    isReference(argument) ||
    (index === programIndex(args, command) && isPackageOrScript(argument))
  )
}

/** One letter, or known words. */
function isFlag(argument: string): boolean {
  if (/^-[A-Za-z]$/.test(argument)) return true
  const [, name] = /^--([a-z]+(?:-[a-z]+)*)$/.exec(argument) ?? []
  return name?.split('-').every((word) => flagWords.has(word)) ?? false
}

function isPlainValue(value: string, flag: string): boolean {
  return (
    /^(?:true|false)$/.test(value) || isReference(value) || (numberFlags.has(flag) && /^\d+$/.test(value))
  )
}

/** The index of the package or script that a runner starts, or -1. */
function programIndex(args: readonly string[], command: string): number {
  const file = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
  const name = withoutEnding(file.replace(/\.(?:exe|cmd)$/, ''), '0123456789.')
  if (!runners.has(name)) return -1
  return args.findIndex((argument) => !runnerFlags.has(argument))
}

/** Lower-case words with few digits: `@scope/server-time@1.2.0`, `n8n-mcp`. */
const packageName =
  /^(?:@[a-z][a-z-]{0,30}\/)?[a-z]{1,20}(?:\d{1,2}|\d[a-z])?(?:[-._][a-z]{1,20}\d?){0,5}(?:@[a-z]{1,10}|@\d{1,4}(?:\.\d{1,4}){0,2})?$/

function isPackageOrScript(argument: string): boolean {
  return packageName.test(argument) || isProgram(argument)
}
