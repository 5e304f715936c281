import type { CallToolResponse } from '@toolbridge/api'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Code, JsonCode } from '../ui/code.tsx'
import { dataUrl, sizeText } from '../ui/data-url.ts'
import { isJsonObject } from '../ui/json.ts'
import { Markdown } from '../ui/markdown.tsx'

type Block = CallToolResponse['content'][number]

/** A content block of a result. Unknown types are shown as JSON. Nothing is rendered as HTML. */
export function ContentBlock({ block, isError }: { readonly block: Block; readonly isError: boolean }) {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return <TextBlock text={text} isError={isError} />
  if (type === 'image' && typeof data === 'string' && isOf('image', mimeType))
    return <Picture data={data} mimeType={mimeType} />
  if (type === 'audio' && typeof data === 'string' && isOf('audio', mimeType))
    return <Sound data={data} mimeType={mimeType} />
  if (type === 'resource_link' && typeof block['uri'] === 'string')
    return <ResourceLink uri={block['uri']} name={block['name']} />
  if (type === 'resource' && isJsonObject(block['resource'])) return <Resource resource={block['resource']} />
  return <JsonCode label={`Content of type ${type}`} value={block} />
}

/** Markdown is shown as text first: a model gets it like that. */
function TextBlock({ text, isError }: { readonly text: string; readonly isError: boolean }) {
  const [isRendered, setRendered] = useState(false)
  if (!hasMarkdown(text)) return <Code label="Text" text={text} tone={isError ? 'fail' : 'plain'} />
  return (
    <div className="space-y-1.5">
      {isRendered ? (
        <div className="rounded-md border border-line bg-surface p-4 text-[0.9375rem]">
          <Markdown text={text} />
        </div>
      ) : (
        <Code label="Text" text={text} tone={isError ? 'fail' : 'plain'} />
      )}
      <Button tone="quiet" aria-pressed={isRendered} onClick={() => setRendered(!isRendered)}>
        {isRendered ? 'Show as text' : 'Show as Markdown'}
      </Button>
    </div>
  )
}

/** Headings, lists, tables, code, links or emphasis. */
function hasMarkdown(text: string): boolean {
  return /^(#{1,6} |[-*] |\d+\. |\||```|> )|\]\(https?:|\*\*\S/m.test(text)
}

function Picture({ data, mimeType }: MediaProps) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunken">
      <img
        src={dataUrl(mimeType, data)}
        alt="Returned by the tool"
        className="mx-auto max-h-[28rem] max-w-full p-3"
      />
      <figcaption className="border-t border-line px-3 py-1.5">
        <Download data={data} mimeType={mimeType} name="image" />
      </figcaption>
    </figure>
  )
}

interface MediaProps {
  readonly data: string
  readonly mimeType: string
}

function Sound({ data, mimeType }: MediaProps) {
  return (
    <figure className="rounded-md border border-line bg-sunken p-3">
      {/* biome-ignore lint/a11y/useMediaCaption: a tool returns no captions */}
      <audio controls src={dataUrl(mimeType, data)} aria-label="Returned by the tool" className="w-full" />
      <figcaption className="mt-1.5">
        <Download data={data} mimeType={mimeType} name="audio" />
      </figcaption>
    </figure>
  )
}

/** Not clickable: the URI is untrusted and often has a meaning only for the server. */
function ResourceLink({ uri, name }: { readonly uri: string; readonly name: unknown }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
      {typeof name === 'string' && <p className="break-words">{name}</p>}
      <p className="font-mono text-xs wrap-anywhere text-ink-soft">{uri}</p>
    </div>
  )
}

function Resource({ resource }: { readonly resource: Readonly<Record<string, unknown>> }) {
  const { uri, text, blob, mimeType } = resource
  const label = typeof uri === 'string' ? uri : 'Resource'
  return (
    <div className="space-y-1.5">
      <p className="font-mono text-xs wrap-anywhere text-ink-soft">{label}</p>
      {typeof text === 'string' && <Code label={label} text={text} />}
      {typeof blob === 'string' && <Download data={blob} mimeType={mimeType} name={fileName(label)} />}
    </div>
  )
}

interface DownloadProps {
  readonly data: string
  readonly mimeType: unknown
  readonly name: string
}

/** Saves the data as a file; nothing is opened in the page. */
function Download({ data, mimeType, name }: DownloadProps) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 font-mono text-xs text-ink-faint">
      <span className="wrap-anywhere">{`${typeof mimeType === 'string' ? mimeType : 'unknown type'}, ${sizeText(data)}`}</span>
      <a href={dataUrl(mimeType, data)} download={name} className="text-accent underline">
        Download
      </a>
    </p>
  )
}

/** The last part of a URI. The browser removes what must not be in a file name. */
function fileName(uri: string): string {
  return uri.split(/[/\\]/).at(-1) || 'resource'
}

function isOf(kind: 'image' | 'audio', mimeType: unknown): mimeType is string {
  return typeof mimeType === 'string' && new RegExp(`^${kind}/[\\w.+-]+$`).test(mimeType)
}
