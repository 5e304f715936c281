import { formatOptions, type OptionTable, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

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
  '  -m, --model <model>         provider/model: openai, anthropic, google, mistral, xai, or compatible for any server with',
  "                              the API of OpenAI's chat completions. Default: the variable TOOLBRIDGE_MODEL",
  '  --base-url <url>            address of the API, such as http://127.0.0.1:11434/v1',
  '  --system <text>             instructions for the model',
  '  --tool <tool>               let the model use only this tool; may be repeated. Default: all tools',
  '  --server <name>             start only this server; may be repeated',
  '  --max-turns <n>             requests to the model for one answer. Default: 16',
  '  --max-tokens <n>            tokens for one answer, input and output. Default: no limit',
  '  --stream                    print the answer as it arrives. Default: if the output is a terminal',
  '  --code                      let the model write code that calls the tools, instead of calling each by itself',
  '  --prompt <prompt>           begin with a prompt of a server; name=value words are its arguments',
  '  --resource <uri>            add a resource of a server; may be repeated',
  '  --sampling <server>         let this server use the model; may be repeated. Each request needs an approval',
  '  --yes                       approve every call that no rule denies',
  ...permissionHelp.map((line) => line.replace('allow (default), ask,', 'ask (default), allow,')),
  ...connectionHelp,
  ...warmHelp,
]
