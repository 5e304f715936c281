/** Whether the lockbox can store a text as a name or an id. It rejects others, so ask before what a request names is looked up. */
export function isStorableText(text: string): boolean {
  const bytes = Buffer.from(text)
  return bytes.length > 0 && bytes.length <= 512 && !text.includes('\0') && bytes.toString() === text
}
