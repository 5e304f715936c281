/** Markup, Markdown, controls that reverse text and characters without width, as a server might send them. */
export const hostileMarkup = [
  '<img src=x onerror="globalThis.__ran = 1"><script>globalThis.__ran = 1</script>',
  '<svg onload="globalThis.__ran = 1"><style>body{display:none}</style><iframe srcdoc="<script>parent.__ran=1</script>">',
  '[click](javascript:globalThis.__ran=1) [file](data:text/html,<script>1</script>) ![x](https://pixel.example/x.png)',
  '<a href="https://evil.example">Sign in again</a> <form action="https://evil.example"><input name=password></form>',
  'safe\u202egnp.exe\u202c ad\u200bmin \u2066isolated\u2069 \ufeffbom \u{e0041}tag \u0000\u001b[31mred',
].join('\n')

/** A description of a length that is expensive to parse, to lay out and to search: one long line, deep nesting, many parts. */
export function hostileDescription(length: number): string {
  const parts = [
    `${hostileMarkup}\n\n`,
    `${'> '.repeat(200)}${'* '.repeat(200)}\n`,
    `${'[a]('.repeat(500)}${'*_'.repeat(500)}\n`,
    `${'wide'.repeat(2_000)}\n`,
    `|${' a |'.repeat(200)}\n|${'---|'.repeat(200)}\n${`|${' b |'.repeat(200)}\n`.repeat(20)}\n`,
  ].join('')
  return parts.repeat(Math.ceil(length / parts.length)).slice(0, length)
}
