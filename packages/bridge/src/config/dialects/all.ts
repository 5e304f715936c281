import type { DocumentFormat } from '../documents/config-document.ts'
import { agentApps } from './agent-apps.ts'
import { amp } from './amp.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueDev } from './continue.ts'
import { copilotCli } from './copilot-cli.ts'
import { coreAgent } from './core-agent.ts'
import { crush } from './crush.ts'
import { cursor } from './cursor.ts'
import type { Dialect } from './dialect.ts'
import { geminiCli } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { inspector } from './inspector.ts'
import { kiro } from './kiro.ts'
import { llmSdk } from './llm-sdk.ts'
import { lmStudio } from './lm-studio.ts'
import { lucky } from './lucky.ts'
import { mcporter } from './mcporter.ts'
import { opencodeV1, opencodeV2 } from './opencode.ts'
import { qwenCode } from './qwen-code.ts'
import { roo } from './roo.ts'
import { toolbridge } from './toolbridge.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { yaaf } from './yaaf.ts'
import { zed } from './zed.ts'

/**
 * All dialects: Toolbridge's own, the five projects it replaces, and the hosts. Of several whose path and shape match a file,
 * the first is used.
 */
export const dialects: readonly Dialect[] = [
  toolbridge,
  agentApps,
  coreAgent,
  lucky,
  yaaf,
  llmSdk,
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  windsurf,
  geminiCli,
  codex,
  opencodeV1,
  opencodeV2,
  zed,
  continueDev,
  cline,
  lmStudio,
  inspector,
  mcporter,
  amp,
  copilotCli,
  crush,
  goose,
  kiro,
  qwenCode,
  roo,
]

const byName: ReadonlyMap<string, Dialect> = new Map(dialects.map((dialect) => [dialect.name, dialect]))

/** Returns the dialect with a name. */
export function dialectNamed(name: string): Dialect | undefined {
  return byName.get(name)
}

/** Returns the title of a dialect's host, for people; for an unknown dialect, the name itself. */
export function dialectTitle(name: string): string {
  return byName.get(name)?.title ?? name
}

const formatsByExtension: Readonly<Record<string, DocumentFormat>> = {
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'yaml',
  toml: 'toml',
}

/** Formats to try for a file: by extension, else the format of the dialect, else all. */
export function formatsToTry(file: string, dialect: string | undefined): readonly DocumentFormat[] {
  const [, extension = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  const named = Object.hasOwn(formatsByExtension, extension) ? formatsByExtension[extension] : undefined
  const own = named ?? (dialect === undefined ? undefined : byName.get(dialect)?.format)
  return own === undefined ? ['json', 'toml', 'yaml'] : [own]
}
