/**
 * Characters that are not seen but change what is: controls except line breaks and tabs, marks that reverse the direction of
 * text, zero-width characters and tags. Joiners between letters of other scripts and in emoji are part of the writing.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|(?<=[\u0000-\u007f]|^)[\u200c\u200d]|[\u200c\u200d](?=[\u0000-\u007f]|$)/gu

/** Returns the text with hidden characters as their code points, such as `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''
    return `⟨U+${code}⟩`
  })
}
