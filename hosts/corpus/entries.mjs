/** Entries of the corpus. The label is what the stub records; the name of the server may differ. */

/** An entry with `command` and `args`. */
export function program(label, args = [], more = {}) {
  return { command: '@NODE@', args: ['@STUB@', label, ...args], ...more }
}

/** An entry of opencode, with one array. */
export function local(label, args = [], more = {}) {
  return { type: 'local', command: ['@NODE@', '@STUB@', label, ...args], ...more }
}

/** A table of Codex; `lines` are further fields. */
export function table(name, label, lines = [], args = []) {
  const list = ['@STUB@', label, ...args].map((arg) => JSON.stringify(arg)).join(', ')
  return [`[mcp_servers.${name}]`, 'command = "@NODE@"', `args = [${list}]`, ...lines, ''].join('\n')
}

/** JSON. A key that ends with `@again` repeats the key without it. */
export function json(value) {
  return JSON.stringify(value, undefined, 2).replaceAll('@again"', '"')
}
