import { type Command, formatOptions, type OptionTable, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelpWith, permissionOptions } from './permission-options.ts'

/** Options of commands that use a model. */
export const agentOptions: OptionTable = {
  ...formatOptions,
  ...connectionOptions,
  ...warmOption,
  ...permissionOptions,
  ...serverOption,
  model: { type: 'string', short: 'm' },
  'base-url': { type: 'string' },
  system: { type: 'string' },
  tool: { type: 'string', multiple: true },
  'max-turns': { type: 'string' },
  'max-tokens': { type: 'string' },
  stream: { type: 'boolean' },
  code: { type: 'boolean' },
  prompt: { type: 'string' },
  resource: { type: 'string', multiple: true },
  sampling: { type: 'string', multiple: true },
  yes: { type: 'boolean', short: 'y' },
}

/** Help for `agentOptions`. */
export const agentHelp: readonly string[] = [
  'The model:',
  '  -m, --model <model>         provider/model: openai, anthropic, google, mistral, xai, or compatible for any server with',
  "                              the API of OpenAI's chat completions. Default: the variable TOOLBRIDGE_MODEL",
  '  --base-url <url>            address of the API, such as http://127.0.0.1:11434/v1. Default: a variable such as',
  "                              OPENAI_BASE_URL, else the provider's own address",
  '  --system <text>             instructions for the model',
  '  --max-turns <n>             requests to the model for one answer. Default: 16',
  '  --max-tokens <n>            tokens for one answer, input and output. Default: no limit',
  'Keys are read from the environment, never from a .env: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, MISTRAL_API_KEY,',
  'XAI_API_KEY; OPENAI_COMPATIBLE_API_KEY if the server needs one.',
  '',
  'Tools and context:',
  '  --tool <tool>               let the model use only this tool, such as docs.lookup; may be repeated. Default: all tools',
  '  --server <name>             start only this server; may be repeated. Default: all servers',
  '  --code                      let the model write code that calls the tools, instead of calling each by itself',
  '  --prompt <prompt>           begin with a prompt of a server; name=value words are its arguments',
  '  --resource <uri>            add a resource of a server; may be repeated',
  '  --sampling <server>         let this server use the model; may be repeated. Each request needs an approval',
  ...connectionHelp,
  ...warmHelp,
  '',
  'Approvals. Each call is asked about at the terminal. Without one it is not made, and the model is told so:',
  '  --yes                       approve every call that no rule denies',
  ...permissionHelpWith('ask (default), allow'),
]

/** A command with a model that answers once. `usage` is its help above the options, `examples` that below them. */
export function answerCommand({
  usage,
  examples,
  options = {},
  ...command
}: Pick<Command, 'name' | 'summary' | 'load'> & {
  readonly usage: readonly string[]
  readonly examples: readonly string[]
  readonly options?: OptionTable
}): Command {
  const help = [...usage, '', ...agentHelp, '', ...outputHelp, '', 'Examples:', ...examples, '', exitHelp]
  return {
    ...command,
    usage: help.join('\n'),
    maxArguments: Infinity,
    options: { ...agentOptions, 'tool-results': { type: 'boolean' }, ...options },
  }
}

const outputHelp = [
  'Output:',
  '  --stream                    print the answer as it arrives; with --format json, one event per line and then the result.',
  '                              Default for text at a terminal',
  '  --tool-results              print each result of a tool as JSON: tool_name, content, success and metadata',
]

/** Help for the exit status of the commands that use a model. */
export const exitHelp =
  'Exit status: 0 answered, 2 no model or an invalid option, 3 the provider failed, 6 no configuration for a named tool, prompt or\nresource, 8 the answer is not finished, 130 interrupted.'
