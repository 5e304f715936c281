import { useId, useRef } from 'react'
import { controlClasses } from '../ui/field.tsx'
import { AddPreview } from './add-preview.tsx'
import { offsetOf } from './text-position.ts'
import type { AddPanelProps } from './use-add-draft.ts'

const example = `claude mcp add weather -e API_KEY=… -- npx -y weather-mcp

npx -y weather-mcp

https://docs.example/mcp

{ "mcpServers": { "weather": { "command": "npx", "args": ["-y", "weather-mcp"] } } }`

/** Adds the servers of a text, such as the documentation of a server or the file of a host. */
export function PastePanel(props: AddPanelProps) {
  const { draft, change } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const goTo = (line: number, column: number): void => {
    const at = offsetOf(draft.text, line, column)
    box.current?.focus()
    box.current?.setSelectionRange(at, at)
  }
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Configuration, command or address
      </label>
      <textarea
        ref={box}
        id={id}
        aria-describedby={`${id}hint`}
        value={draft.text}
        onChange={(event) => change({ text: event.target.value })}
        rows={Math.min(24, Math.max(9, draft.text.split('\n').length + 1))}
        placeholder={example}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className={`${controlClasses} resize-y font-mono text-[0.8125rem] leading-relaxed wrap-anywhere`}
      />
      <p id={`${id}hint`} className="mt-1 text-[0.8125rem] text-ink-faint">
        JSON, TOML or YAML of any MCP host, one entry of it, a command line or a URL. It stays in this tab
        until you save or discard it.
      </p>
      <AddPreview {...props} text={draft.text} goTo={goTo} />
    </>
  )
}
