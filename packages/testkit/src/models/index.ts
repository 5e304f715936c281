/** Model providers on this machine, for the tests of every package. */

export type { ScriptedCall, ScriptedEnd, ScriptedUsage } from './model-api.ts'
export {
  events,
  type Provider,
  provider,
  type ProviderAnswer,
  type ProviderRequest,
  type StreamEvent,
} from './provider.ts'
export {
  type ModelRequest,
  type ModelShape,
  type ModelTurn,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
