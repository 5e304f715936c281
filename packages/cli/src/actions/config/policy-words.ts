import type { ExplainedFact, ExplainedPolicy, HostFacts, Policy } from '@toolbridge/bridge/config'

const questions: Readonly<Record<keyof Policy | keyof HostFacts, string>> = {
  'naming.separator': 'between server and tool in a name',
  'naming.sanitize': 'other characters in names',
  'naming.maxLength': 'longest name',
  'naming.onCollision': 'two tools of one name',
  'config.roots': 'servers are under',
  'config.transport': 'an entry without a transport',
  'config.both': 'an entry with a command and a URL',
  'config.missing': 'a file that does not exist',
  'config.sources': 'files in order of precedence',
  'vars.syntax': 'variables are written',
  'vars.fields': 'fields with variables',
  'vars.unset': 'a variable that is not set',
  'vars.default': 'the default of a variable applies if it is',
  'vars.file': 'a variable file that cannot be read',
  'vars.phase': 'variables are replaced at',
  'vars.workspace': 'the workspace contains the folder',
  'vars.paths': 'slashes in paths',
  'paths.base': 'relative paths start at',
  'env.inherit': 'variables of the shell that programs get',
  'env.path': 'PATH of an entry',
  start: 'servers start',
  replace: 'a changed server',
  onServerFailure: 'if a server fails to start',
  stop: 'how programs are stopped',
  stderr: 'error output of programs',
  'stdout.badLine': 'output that is not a message',
  'protocol.accept': 'accepted protocol versions',
  'protocol.version': 'requested protocol version',
  elicitation: 'questions of servers go to',
  'result.text': 'text parts of a result',
  'result.unknown': 'unknown parts of a result',
  'result.media': 'images and audio of a result',
  'result.structured': 'structured results',
  'result.protocolError': 'an error of the protocol',
  expose: 'tools that a model sees',
  permissions: 'calls are decided by',
  'secrets.env': 'secrets come from',
}

/** Values that need more than their own name. */
const answers: Partial<Readonly<Record<keyof Policy | keyof HostFacts, Readonly<Record<string, string>>>>> = {
  'config.both': { 'prefer-url': 'the URL is used', 'by-type': 'its type decides' },
  'config.missing': { ok: 'is no error' },
  'config.transport': { required: 'is refused', stdio: 'is a program' },
  'naming.onCollision': { error: 'are an error' },
  'vars.unset': { keep: 'stays as text', error: 'is an error', drop: 'leaves its value out' },
  'vars.default': { unset: 'not set' },
  'vars.phase': { load: 'reading', both: 'reading and start' },
  'vars.paths': { slashes: 'always forward' },
  'paths.base': { 'config-folder': 'the folder of the file' },
  'env.path': { append: 'is appended' },
}

/** A rule of a host in words. */
export function describePolicy(rule: ExplainedPolicy | ExplainedFact): string {
  const name = 'policy' in rule ? rule.policy : rule.fact
  const words = valueWords(rule.value)
  return `${questions[name]}: ${answers[name]?.[words] ?? words}`
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
