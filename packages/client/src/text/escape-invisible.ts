const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Surrogate}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Writes invisible characters and those that move text as `\\uXXXX`, so that they cannot hide anything. Keeps line breaks. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => character.split('').map(escapedUnit).join(''))
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
