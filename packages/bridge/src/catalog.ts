/** Tools lowered for model providers and the search in them, for adapters. */

export type { SearchDeferral } from './adapters/model-surface.ts'
export { mayHaveTool } from './catalog/catalog.ts'
export { toolUri } from './catalog/tool-uri.ts'
export { estimateTokens } from './catalog/estimate-tokens.ts'
export type { RestoredArguments } from './catalog/lowering/argument-restorer.ts'
export type { LoweredTool, QuarantinedTool } from './catalog/lowering/lower-tool.ts'
export type { NamingPolicy } from '@toolbridge/client/internal'
export type { LoweringNote, NoteCode, QuarantineCode } from './catalog/schema/notes.ts'
export type { ToolMatch, ToolMatches } from './catalog/search/tool-index.ts'
export type { SearchToolsOptions } from './catalog/search/tool-search.ts'
export type { ModelTool, ModelTools } from './catalog/tool-compiler.ts'
