/** Returns a count with its noun: `1 tool`, `2 tools`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
