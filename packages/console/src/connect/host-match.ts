/** Words by which hosts name themselves, where these are not the id. */
const words: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['claude-code', 'claude code'],
  'claude-desktop': ['claude-ai', 'claude desktop'],
  vscode: ['visual studio code', 'vscode'],
  'gemini-cli': ['gemini'],
  'qwen-code': ['qwen'],
  'core-agent': ['core-agent', 'core agent'],
}

/** Returns whether a host that named itself so is likely the one with this id. A name proves nothing. */
export function isLikelyHost(id: string, name: string): boolean {
  const text = name.toLowerCase()
  // Cursor is built on VS Code, and says so.
  if (id === 'vscode' && text.includes('cursor')) return false
  return (words[id] ?? [id]).some((word) => text.includes(word))
}

/** The platform of a browser. */
export function platformOf(userAgent: string): 'linux' | 'darwin' | 'win32' {
  if (/Windows/.test(userAgent)) return 'win32'
  return /Mac OS|Macintosh/.test(userAgent) ? 'darwin' : 'linux'
}
