import type { InputSpec } from '@toolbridge/bridge/config'
import { withoutEnding } from '@toolbridge/client/internal'
import { RegistryError } from './registry-error.ts'
import type { RegistryInput } from './server-document.ts'

/** A part of a value: text of the publisher, or a reference such as `${input:weather-token}`. */
type Piece = { readonly text: string } | { readonly reference: string }

/** Writes the reference to a value that the definition does not have. */
type Refer = (label: string, input: Pick<RegistryInput, 'isSecret'>) => string

/** Turns values of a publisher into values of a definition, and collects the `${input:…}` that they need. */
export class InputReferences {
  readonly #server: string
  readonly #inputs = new Map<string, InputSpec>()

  constructor(server: string) {
    this.#server = server
  }

  /** Declarations of the inputs that were referred to. */
  get inputs(): readonly InputSpec[] {
    return [...this.#inputs.values()]
  }

  /**
   * The value of an input; undefined if it is optional and has none. A value that a person has to provide becomes a
   * reference, and so does a secret: none is written, also if the publisher has published one.
   */
  valueOf(label: string, input: RegistryInput, refer: Refer = this.#refer): string | undefined {
    const { value, isSecret, isRequired, variables } = input
    const isTemplate = Object.keys(variables).some((name) => value?.includes(`{${name}}`) === true)
    if (value !== undefined && (!isSecret || isTemplate)) return this.filled(value, variables)
    if (input.default !== undefined && !isSecret) return printed([{ text: checked(input.default) }])
    return isRequired || value !== undefined ? refer(label, input) : undefined
  }

  /** A text with its `{variables}` replaced. Unknown names in braces are text. */
  filled(text: string, variables: Readonly<Record<string, RegistryInput>>): string {
    const pieces: Piece[] = []
    let end = 0
    for (const match of checked(text).matchAll(/\{([^{}]+)\}/g)) {
      const [written, name = ''] = match
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (variable === undefined) continue
      pieces.push({ text: text.slice(end, match.index) }, this.#pieceOf(name, variable))
      end = match.index + written.length
    }
    return printed([...pieces, { text: text.slice(end) }])
  }

  #pieceOf(name: string, { value, isSecret, default: usual }: RegistryInput): Piece {
    const text = isSecret ? undefined : (value ?? usual)
    return text === undefined ? { reference: this.#refer(name, { isSecret }) } : { text: checked(text) }
  }

  /** The description is not the publisher's: somebody who is asked would take it for a text of Toolbridge. */
  readonly #refer: Refer = (label, { isSecret }) => {
    const id = `${this.#server}-${label.replace(/^-+/, '')}`.replaceAll(/[^\w.-]+/g, '-')
    const description = `${checked(label)} of the server ${this.#server}`
    this.#inputs.set(id, { id, description, ...(isSecret ? { isSecret } : {}) })
    return `\${input:${id}}`
  }
}

const maxLength = 10_000

/** Throws for a value that a person could not read when asked to confirm: a huge one, or one with invisible characters. */
export function checked(text: string): string {
  if (text.length > maxLength)
    throw new RegistryError(`the definition in the registry has a value of more than ${maxLength} characters`)
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Surrogate}\p{Zl}\p{Zp}]/u.test(text))
    throw new RegistryError(
      `the definition in the registry has a value with invisible characters: ${JSON.stringify(text)}`,
    )
  return text
}

/**
 * Writes text so that nothing in it is a variable: a publisher must not read the environment or files of a user. A `$` at the
 * end of a part is escaped too, because the next part may begin with a brace.
 */
function printed(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index, all) => {
      if ('reference' in piece) return piece.reference
      const escaped = piece.text.replaceAll('${', () => '$${')
      const plain = index + 1 < all.length ? withoutEnding(escaped, '$') : escaped
      return plain + '${$}'.repeat(escaped.length - plain.length)
    })
    .join('')
}
