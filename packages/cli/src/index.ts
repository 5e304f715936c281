export type { Script, ScriptContext } from './script/script-context.ts'
