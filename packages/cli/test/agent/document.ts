/** A command of a document, and what is shown below it. */
export interface Step {
  readonly command: string
  readonly shown: string
}

/** The commands in the console blocks of a document. */
export function steps(page: string): readonly Step[] {
  return [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => ({
        command: step.slice(0, step.indexOf('\n')),
        shown: step.slice(step.indexOf('\n') + 1),
      })),
  )
}

/** `…` stands for any text of a line. */
export function matching(shown: string): RegExp {
  return new RegExp(`^${shown.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.*')}$`)
}
