const columns = 80

/** Breaks a text between words into lines of at most 80 columns, after a label and with the other lines indented like it. */
export function wrap(label: string, text: string): readonly string[] {
  const width = columns - label.length
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line)
}
