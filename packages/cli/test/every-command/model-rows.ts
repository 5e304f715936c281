import type { ModelTurn, ScriptedModelOptions } from '@toolbridge/testkit/models'
import type { Row } from './row.ts'

const workshop = ['--mcp', 'mcp.json']
const json = ['--format', 'json']

/** Calls the workshop once, if it has its tools, and then answers. A model named `refused` is refused. */
export const modelTurns: ScriptedModelOptions['turns'] = ({ body, tools, results }): ModelTurn => {
  if (body['model'] === 'refused') return { status: 401, message: 'wrong key' }
  const tool = 'workshop__open'
  if (results.length > 0 || !tools.includes(tool)) return { text: 'Done \u001b[31mnow.' }
  return { calls: [{ tool, input: { text: 'typed' } }] }
}

/** Commands that use a model at this address. */
export const modelRows = (baseUrl: string): readonly Row[] => {
  const model = ['--model', 'compatible/scripted', '--base-url', baseUrl]
  const refused = ['--model', 'compatible/refused', '--base-url', baseUrl]
  const outcome = { end: 'answered', steps: 2, usage: { inputTokens: 20, outputTokens: 10 } }
  return [
    {
      command: 'ask',
      args: ['ask', 'Go.', '--yes', '--tool-results', ...workshop, ...model, ...json],
      code: 0,
      schema: 'ask-report result',
      json: {
        ...outcome,
        text: 'Done \u001b[31mnow.',
        toolResults: [{ tool_name: 'workshop.open', content: '{"text":"typed"}', success: true }],
      },
    },
    {
      command: 'ask',
      args: ['ask', '-', '--yes', '--stream', ...workshop, ...model, ...json],
      code: 0,
      input: 'Go.',
      stdout: /^(?:\{.*\}\n){5,}$/,
      schema: 'ask-report line',
      json: { type: 'result', ...outcome },
    },
    {
      command: 'ask',
      args: ['ask', 'Go.', ...model],
      cwd: 'empty',
      code: 0,
      stdout: /^Done now\.\n$/,
    },
    {
      command: 'ask',
      args: ['ask', 'Go.', ...workshop, ...refused, ...json],
      code: 3,
      stderr: /^toolbridge: .*compatible\/refused: .*401.*\n$/,
    },
    {
      command: 'ask',
      args: ['ask', 'Go.', ...workshop],
      code: 2,
      stderr: /^toolbridge: missing model\. Use --model .* or set TOOLBRIDGE_MODEL\n$/,
    },
    {
      command: 'agent',
      args: ['agent', 'Go.', '--tool', 'workshop.open', ...workshop, ...model, ...json],
      code: 0,
      schema: 'ask-report result',
      json: outcome,
      stderr:
        /^→ workshop__open \{"text":"typed"\}\n✗ workshop__open needs an approval .*--yes or --allow <rule>\n$/,
    },
    {
      command: 'agent',
      args: ['agent', 'Go.', '--yes', '--max-turns', '1', ...workshop, ...model, ...json],
      code: 8,
      schema: 'ask-report result',
      json: { end: 'max_steps', steps: 1 },
      stderr: /^→ workshop__open .*\ntoolbridge: .*--max-turns\n$/,
    },
    {
      command: 'agent',
      args: ['agent', 'Go.', '--name', 'raect', ...workshop, ...model],
      code: 2,
      stderr: /^toolbridge: unknown agent "raect"\. Did you mean "react"\?/,
    },
  ]
}
