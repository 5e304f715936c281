import { type Issue, pointerTo } from '../config/issue.ts'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../record.ts'

/** Throws a `ConfigError` with every issue of a value that should be an execution context. Quotes no value. */
export function checkExecutionContext(value: unknown): void {
  const issues: Issue[] = []
  const report: Report = (path, problem) => issues.push(contextIssue(path, problem))
  if (isRecord(value)) checkFields(value, report)
  else report('', 'must be an object')
  if (issues.length > 0) throw ConfigError.of(issues)
}

type Report = (path: string, problem: string) => void

function checkFields(context: Readonly<Record<string, unknown>>, report: Report): void {
  checkPrincipal(context['principal'], report)
  checkTextMap(context['secrets'], '/secrets', report)
  checkTextMap(context['apiKeys'], '/apiKeys', report)
  const mcp = context['mcp']
  if (mcp === undefined) return
  const toolkits = isRecord(mcp) ? mcp['toolkits'] : undefined
  if (!isRecord(toolkits)) return report('/mcp/toolkits', 'must be an object')
  for (const [name, toolkit] of Object.entries(toolkits)) {
    checkToolkit(toolkit, pointerTo('/mcp/toolkits', name), report)
  }
}

function checkPrincipal(principal: unknown, report: Report): void {
  if (!isRecord(principal)) return report('/principal', 'must be an object')
  if (typeof principal['id'] !== 'string' || principal['id'] === '')
    report('/principal/id', 'must be a string')
  const kind = principal['kind']
  if (kind !== 'session' && kind !== 'local') report('/principal/kind', 'must be "session" or "local"')
}

function checkToolkit(toolkit: unknown, path: string, report: Report): void {
  if (!isRecord(toolkit)) return report(path, 'must be an object')
  const { transport, tools } = toolkit
  if (tools !== undefined && !Array.isArray(tools)) report(`${path}/tools`, 'must be an array')
  const spec = isRecord(transport) ? transport['spec'] : undefined
  if (!isRecord(transport) || !isRecord(spec))
    return report(`${path}/transport`, 'must have a kind and a spec')
  if (transport['kind'] === 'stdio') return checkStdio(spec, `${path}/transport/spec`, report)
  if (transport['kind'] === 'http') return checkHttp(spec, `${path}/transport/spec`, report)
  report(`${path}/transport/kind`, 'must be "stdio" or "http"')
}

function checkStdio(spec: Readonly<Record<string, unknown>>, path: string, report: Report): void {
  const { command, args, env } = spec
  if (typeof command !== 'string' || command === '') report(`${path}/command`, 'must be a string')
  const isTextList = Array.isArray(args) && args.every((arg) => typeof arg === 'string')
  if (!isTextList) report(`${path}/args`, 'must be an array of strings')
  checkTextMap(env, `${path}/env`, report)
}

function checkHttp(spec: Readonly<Record<string, unknown>>, path: string, report: Report): void {
  const { url, headers } = spec
  if (typeof url !== 'string' || url === '') report(`${path}/url`, 'must be a string')
  checkTextMap(headers, `${path}/headers`, report)
}

function checkTextMap(map: unknown, path: string, report: Report): void {
  if (map === undefined) return
  if (!isRecord(map)) return report(path, 'must be an object of strings')
  for (const [key, value] of Object.entries(map)) {
    if (typeof value !== 'string') report(pointerTo(path, key), 'must be a string')
  }
}

function contextIssue(path: string, problem: string): Issue {
  return {
    code: 'context_invalid',
    severity: 'error',
    file: 'execution context',
    path,
    message: `the execution context is not valid: ${path || 'it'} ${problem}`,
    fix: 'correct what is passed to withExecutionContext',
  }
}
