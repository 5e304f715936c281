import { type DocumentFormat, parseDocument } from '../../src/config/documents/config-document.ts'
import { changeDocument, type DocumentChange } from '../../src/config/documents/edit-document.ts'

/** A text with one change; undefined if it cannot be parsed or changed. */
export function changedText(
  text: string,
  format: DocumentFormat,
  change: DocumentChange,
): string | undefined {
  const document = parseDocument(text, '', format)
  return 'root' in document ? changeDocument(text, document, [change]) : undefined
}
