import { claudeCode } from './claude-code.mjs'
import { codex } from './codex.mjs'
import { geminiLike } from './gemini.mjs'
import { opencode } from './opencode.mjs'

/**
 * Files of a host, and the row of the table that each server is about.
 *
 * @typedef {object} Run
 * @property {Readonly<Record<string, string>>} files By path, under `home/` or `project/`.
 * @property {Readonly<Record<string, string>>} rows By name of the server.
 * @property {Readonly<Record<string, string>>} [labels] What the stub records, if not the name of the server.
 */

/** @type {Readonly<Record<string, readonly Run[]>>} */
export const corpus = {
  'claude-code': claudeCode,
  codex,
  opencode,
  'gemini-cli': geminiLike('.gemini', { tools: { exclude: ['mcp_denied_delete_file'] } }),
  // Qwen Code offers a denied tool to the model and refuses the call, which a stub model does not make.
  'qwen-code': geminiLike('.qwen'),
}
