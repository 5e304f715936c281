/** One line of a comparison with two columns. An absent side has nothing in its place. */
export interface SideBySideLine {
  readonly kind: 'same' | 'changed' | 'gap'
  readonly before?: string
  readonly after?: string
}

/** Turns a line diff, marked with `-` and `+`, into two columns: removed lines stand beside those that came in their place. */
export function sideBySide(diff: string): readonly SideBySideLine[] {
  const lines: SideBySideLine[] = []
  let [removed, added]: [string[], string[]] = [[], []]
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [before, after] = [removed[index], added[index]]
      lines.push({
        kind: 'changed',
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      })
    }
    ;[removed, added] = [[], []]
  }
  for (const line of diff.split('\n')) {
    const text = line.slice(2)
    if (line.startsWith('-')) removed.push(text)
    else if (line.startsWith('+')) added.push(text)
    else {
      flush()
      const isGap = line === '  …' || line.startsWith('…')
      lines.push({
        kind: isGap ? 'gap' : 'same',
        before: isGap ? line.trim() : text,
        after: isGap ? '' : text,
      })
    }
  }
  flush()
  return lines
}
