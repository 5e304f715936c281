/** The text before the first of these signs, or all of it. */
export function textBefore(text: string, sign: string): string {
  const at = text.indexOf(sign)
  return at === -1 ? text : text.slice(0, at)
}

/** The text without any of these characters at its end. Unlike `/x+$/`, it looks at each of them once. */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Lines as one, with a space between them, and without blank ones. */
export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
