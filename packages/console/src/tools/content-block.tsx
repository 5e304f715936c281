import type { CallToolResponse } from '@toolbridge/api'
import { Code, JsonCode } from '../ui/code.tsx'

type Block = CallToolResponse['content'][number]

/** A content block of a result. Unknown types are shown as JSON. Nothing is rendered as HTML. */
export function ContentBlock({ block, isError }: { readonly block: Block; readonly isError: boolean }) {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string')
    return <Code label="Text" text={text} tone={isError ? 'fail' : 'plain'} />
  if (type === 'image' && typeof data === 'string' && isImageType(mimeType))
    return <Picture data={data} mimeType={mimeType} />
  if (type === 'audio' && typeof data === 'string')
    return <Caption>{`${String(mimeType)}, ${sizeText(data)}`}</Caption>
  if (type === 'resource_link' && typeof block['uri'] === 'string')
    return <ResourceLink uri={block['uri']} name={block['name']} />
  return <JsonCode label={`Content of type ${type}`} value={block} />
}

function Picture({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunken">
      <img
        src={`data:${mimeType};base64,${data}`}
        alt="Returned by the tool"
        className="mx-auto max-h-[28rem] max-w-full p-3"
      />
      <figcaption className="border-t border-line px-3 py-1.5">
        <Caption>{`${mimeType}, ${sizeText(data)}`}</Caption>
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

function Caption({ children }: { readonly children: string }) {
  return <p className="font-mono text-xs text-ink-faint">{children}</p>
}

function isImageType(mimeType: unknown): mimeType is string {
  return typeof mimeType === 'string' && /^image\/[\w.+-]+$/.test(mimeType)
}

/** Four base64 characters encode three bytes. */
function sizeText(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
}
