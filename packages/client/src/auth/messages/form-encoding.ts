/** Encodes a form value (RFC 6749 appendix B). */
export function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
