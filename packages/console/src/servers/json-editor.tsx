import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'

/** A range in the text with an issue. */
export interface EditorMark {
  readonly from: number
  readonly to: number
  readonly message: string
}

/** Properties of `JsonEditor`, read once, when it appears. */
export interface JsonEditorProps {
  readonly label: string
  readonly initialText: string
  readonly example?: string
  readonly onChange: (text: string) => void
  /** Returns the ranges to mark in a text. */
  readonly check: (text: string) => readonly EditorMark[]
}

/** A JSON editor. Tab moves the focus, as everywhere on the page. */
export function JsonEditor(props: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null)
  const first = useRef(props)
  useEffect(() => {
    if (parent.current === null) return
    const view = openEditor(parent.current, first.current)
    view.focus()
    return () => view.destroy()
  }, [])
  return (
    <div
      ref={parent}
      className="overflow-hidden rounded-md border border-line-strong bg-surface focus-within:border-accent focus-within:outline-2 focus-within:outline-accent"
    />
  )
}

function openEditor(
  parent: HTMLElement,
  { label, initialText, example = '', onChange, check }: JsonEditorProps,
): EditorView {
  const extensions: Extension[] = [
    lineNumbers(),
    history(),
    bracketMatching(),
    json(),
    syntaxHighlighting(colours),
    lintGutter(),
    linter((view) => check(view.state.doc.toString()).map(asDiagnostic), { delay: 250 }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    placeholder(example),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    theme,
  ]
  return new EditorView({ parent, state: EditorState.create({ doc: initialText, extensions }) })
}

function asDiagnostic(mark: EditorMark): Diagnostic {
  return { ...mark, severity: 'error' }
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-faint)' },
])

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-content, .cm-gutter': { minHeight: '14rem' },
  '.cm-content': {
    fontFamily: 'var(--font-mono)',
    padding: '10px 0',
    caretColor: 'var(--ink)',
  },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-faint)', border: 'none' },
  '.cm-placeholder': { color: 'var(--ink-faint)', whiteSpace: 'pre-wrap' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
  },
  '.cm-diagnostic': {
    padding: '4px 10px',
    borderLeft: '3px solid var(--fail)',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--fail)',
    textUnderlineOffset: '3px',
  },
})
