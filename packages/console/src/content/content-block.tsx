import type { CallToolResponse } from '@toolbridge/api'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { Code, JsonCode } from '../ui/code.tsx'
import { base64Of, dataUrl, sizeText } from './data-url.ts'
import { isJsonObject } from '../ui/json.ts'
import { Markdown } from '../ui/markdown.tsx'
import { resourcePath } from '../state/page-paths.ts'

type Block = CallToolResponse['content'][number]

/** Properties of `ContentBlock`. */
export interface ContentBlockProps {
  readonly block: Block
  /** The server that sent it. */
  readonly server: string
  /** Whether it reports an error. Default: false. */
  readonly isError?: boolean
}

/** A content block of a result or of a prompt. Unknown types are shown as JSON. Nothing is rendered as HTML. */
export function ContentBlock({ block, server, isError = false }: ContentBlockProps) {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return <TextBlock text={text} isError={isError} />
  if (type === 'image' && typeof data === 'string' && isOf('image', mimeType))
    return <Picture data={data} mimeType={mimeType} />
  if (type === 'audio' && typeof data === 'string' && isOf('audio', mimeType))
    return <Sound data={data} mimeType={mimeType} />
  if (type === 'resource_link' && typeof block['uri'] === 'string')
    return <ResourceLink server={server} uri={block['uri']} name={block['name']} />
  if (type === 'resource' && isJsonObject(block['resource'])) return <Resource resource={block['resource']} />
  return <JsonCode label={`Content of type ${type}`} value={block} />
}

/** Markdown is shown as text first: a model gets it like that. */
function TextBlock({ text, isError = false, isMarkdown = false }: TextBlockProps) {
  const [isRendered, setRendered] = useState(isMarkdown)
  if (!isMarkdown && !hasMarkdown(text))
    return <Code label="Text" text={text} tone={isError ? 'fail' : 'plain'} />
  return (
    <div className="space-y-1.5">
      {isRendered ? (
        <div className="rounded-md border border-line bg-surface p-4 text-[0.9375rem]">
          <Markdown text={text} />
        </div>
      ) : (
        <Code label="Text" text={text} tone={isError ? 'fail' : 'plain'} />
      )}
      <Button
        tone="quiet"
        aria-pressed={isRendered}
        onClick={() => setRendered(!isRendered)}
        className="-ml-3.5"
      >
        {isRendered ? 'Show as text' : 'Show as Markdown'}
      </Button>
    </div>
  )
}

interface TextBlockProps {
  readonly text: string
  /** Default: false. */
  readonly isError?: boolean
  /** Whether the server says that it is Markdown. Default: false. */
  readonly isMarkdown?: boolean
}

/** Headings, lists, tables, code, links or emphasis. */
function hasMarkdown(text: string): boolean {
  return /^(#{1,6} |[-*] |\d+\. |\||```|> )|\]\(https?:|\*\*\S/m.test(text)
}

function Picture({ data, mimeType, name = 'image' }: MediaProps) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunken">
      <img
        src={dataUrl(mimeType, data)}
        alt="Returned by the tool"
        className="mx-auto max-h-[28rem] max-w-full p-3"
      />
      <figcaption className="border-t border-line px-3 py-1.5">
        <Download data={data} mimeType={mimeType} name={name} />
      </figcaption>
    </figure>
  )
}

interface MediaProps {
  readonly data: string
  readonly mimeType: string
  /** Name of the file to save. Default: the kind of the content. */
  readonly name?: string
}

function Sound({ data, mimeType, name = 'audio' }: MediaProps) {
  return (
    <figure className="rounded-md border border-line bg-sunken p-3">
      {/* biome-ignore lint/a11y/useMediaCaption: a tool returns no captions */}
      <audio controls src={dataUrl(mimeType, data)} aria-label="Returned by the tool" className="w-full" />
      <figcaption className="mt-1.5">
        <Download data={data} mimeType={mimeType} name={name} />
      </figcaption>
    </figure>
  )
}

/** Opens a page that asks the server for the resource; the browser never follows the URI, which is untrusted. */
function ResourceLink({ server, uri, name }: ResourceLinkProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
      <div className="min-w-0">
        {typeof name === 'string' && <p className="wrap-anywhere">{name}</p>}
        <p className="font-mono text-xs wrap-anywhere text-ink-soft">{uri}</p>
      </div>
      <Link href={resourcePath(server, uri)} className="rounded text-accent underline">
        Open
      </Link>
    </div>
  )
}

interface ResourceLinkProps {
  readonly server: string
  readonly uri: string
  readonly name: unknown
}

/** Properties of `Resource`. */
export interface ResourceProps {
  /** Contents of a resource as a server sent them. */
  readonly resource: Readonly<Record<string, unknown>>
}

/** Contents of a resource: text, a picture, sound, or a file to save. */
export function Resource({ resource }: ResourceProps) {
  const { uri, text, blob, mimeType } = resource
  const label = typeof uri === 'string' ? uri : 'Resource'
  return (
    <div className="space-y-1.5">
      <p className="font-mono text-xs wrap-anywhere text-ink-soft">{label}</p>
      {typeof text === 'string' && <TextBlock text={text} isMarkdown={mimeType === 'text/markdown'} />}
      {typeof text === 'string' && (
        <Download data={base64Of(text)} mimeType={mimeType ?? 'text/plain'} name={fileName(label)} />
      )}
      {typeof blob === 'string' && <Blob data={blob} mimeType={mimeType} name={fileName(label)} />}
    </div>
  )
}

function Blob({ data, mimeType, name }: DownloadProps) {
  if (isOf('image', mimeType)) return <Picture data={data} mimeType={mimeType} name={name} />
  if (isOf('audio', mimeType)) return <Sound data={data} mimeType={mimeType} name={name} />
  return <Download data={data} mimeType={mimeType} name={name} />
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
