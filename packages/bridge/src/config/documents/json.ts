import type { Node, ParseError, printParseErrorCode } from 'jsonc-parser'
import { jsonc } from './json-library.ts'
import type { DocumentNode, SyntaxProblem } from './node.ts'

/** Parses JSON with comments and trailing commas. */
export function parseJson(text: string): DocumentNode | SyntaxProblem {
  try {
    const node: Node | undefined = jsonc().parseTree(text, new NoErrors(), { allowTrailingComma: true })
    return node ?? { offset: 0, problem: 'expected a value' }
  } catch (error) {
    if (error instanceof FirstError)
      return { offset: error.first.offset, problem: problems[jsonc().printParseErrorCode(error.first.error)] }
    // The parser is recursive, so deep nesting exceeds the stack.
    if (error instanceof RangeError) return { offset: 0, problem: 'expected fewer levels of nesting' }
    throw error
  }
}

/** Ends the parser at its first error. It would go on, and one text can have as many errors as characters. */
class NoErrors extends Array<ParseError> {
  override push(first: ParseError): never {
    throw new FirstError(first)
  }
}

class FirstError extends Error {
  readonly first: ParseError

  constructor(first: ParseError) {
    super()
    this.first = first
  }
}

const problems: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'expected a property name or a value; words stand in double quotes',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a property name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a comma or a closing brace',
  CloseBracketExpected: 'expected a comma or a closing bracket',
  EndOfFileExpected: 'expected nothing after the end of the document',
  InvalidCommentToken: 'expected no comment here',
  UnexpectedEndOfComment: 'expected the end of the comment',
  UnexpectedEndOfString: 'expected the closing quote of the string',
  UnexpectedEndOfNumber: 'expected the rest of the number',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected a known escape sequence after the backslash',
  InvalidCharacter: 'expected no control character inside a string',
  '<unknown ParseErrorCode>': 'expected JSON',
}
