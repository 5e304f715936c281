import type { Issue } from '@toolbridge/bridge/config'
import type { RulesFile } from './sourced-rules.ts'

/** Adds a warning for each part of a file that would allow calls. A file that was found only restricts. */
export function withUselessRules(file: RulesFile): RulesFile {
  if (file.role !== 'found') return file
  return { ...file, issues: [...file.issues, ...uselessAllow(file), ...uselessMode(file)] }
}

/** A list of allowed tools does nothing where the mode allows the others too. */
function uselessAllow({ file, rules, positions }: RulesFile): readonly Issue[] {
  const [first] = positions.allow
  if (first === undefined || rules.mode === 'ask' || rules.mode === 'plan') return []
  const message =
    'these "allow" rules have no effect, because the file has no mode in which other calls need an approval'
  const fix = 'add "mode": "ask"'
  return [{ code, severity: 'warning', file, path: '/allow', ...first, message, fix }]
}

function uselessMode({ file, rules, positions }: RulesFile): readonly Issue[] {
  if (rules.mode !== 'yolo') return []
  const message =
    'mode "yolo" has no effect, because a file that was found beside a configuration only restricts'
  const fix = 'remove it, or use the file with --permissions'
  return [{ code, severity: 'warning', file, path: '/mode', ...positions.mode, message, fix }]
}

const code = 'permissions_useless'
