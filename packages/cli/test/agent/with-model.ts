import {
  type ModelShape,
  type ModelTurn,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
} from '@toolbridge/testkit/models'
import type { InProcessOptions } from '../in-process.ts'
import type { Finished } from '../transcript.ts'
import type { Workplace } from '../workshop.ts'

export interface FinishedWithModel extends Finished {
  /** The requests that the model got. */
  readonly requests: ScriptedModel['requests']
}

export interface WithModelOptions extends InProcessOptions {
  /** Default: `compatible`. */
  readonly shape?: ModelShape
}

/** Runs a command line with a scripted model, whose key is in the environment. */
export async function runWithModel(
  place: Pick<Workplace, 'run'>,
  args: readonly string[],
  turns: ScriptedModelOptions['turns'],
  { shape = 'compatible', ...options }: WithModelOptions = {},
): Promise<FinishedWithModel> {
  await using model = await scriptedModel({ shape, turns })
  const finished = await place.run([...args, ...modelOptions(model)], {
    ...options,
    env: { ...keyOf(model), ...options.env },
  })
  return { ...finished, requests: model.requests }
}

/** The options that name a model. */
export function modelOptions({ name, baseUrl }: ScriptedModel): readonly string[] {
  return ['--model', name, '--base-url', baseUrl]
}

/** The variable with the key of a model. */
export function keyOf({ env }: ScriptedModel): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith('_KEY')))
}

/** A model that makes one call, and then answers. */
export function callThenAnswer(tool: string, input: object = {}, text = 'Done.'): readonly ModelTurn[] {
  return [{ calls: [{ tool, input }] }, { text }]
}
