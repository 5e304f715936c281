/** A text as one word of a shell. Names and paths come from files of strangers, so nothing in them may act. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
