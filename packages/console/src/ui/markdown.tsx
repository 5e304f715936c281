import { lexer, type Token, type Tokens } from 'marked'
import type { ReactNode } from 'react'
import { parsedUrl } from './parsed-url.ts'
import { useLongText } from './use-long-text.tsx'
import { visibleText } from './visible-text.ts'

/** Longer texts are shown as they are: parsing them takes too long. */
const maxLength = 20_000

/** Shows Markdown from a server. HTML is shown as text, pictures as their descriptions, and links only to http and https. */
export function Markdown({ text }: { readonly text: string }) {
  if (text.length > maxLength) return <PlainText text={text} />
  return (
    <div className="space-y-2 overflow-x-auto wrap-anywhere">{shownTokens(lexer(visibleText(text)))}</div>
  )
}

function PlainText({ text }: { readonly text: string }) {
  const { shown, more } = useLongText(text)
  return (
    <>
      <div className="wrap-anywhere whitespace-pre-wrap">{shown}</div>
      {more}
    </>
  )
}

function shownTokens(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, index) => (
    // Tokens have no id, and a text never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <ShownToken key={index} token={token} />
  ))
}

function ShownToken({ token }: { readonly token: Token }): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{shownTokens(token.tokens)}</p>
    case 'heading':
      return <p className="font-semibold">{shownTokens(token.tokens)}</p>
    case 'strong':
      return <strong>{shownTokens(token.tokens)}</strong>
    case 'em':
      return <em>{shownTokens(token.tokens)}</em>
    case 'del':
      return <del>{shownTokens(token.tokens)}</del>
    case 'codespan':
      return (
        <code className="rounded bg-sunken px-1 font-mono text-[0.875em]">
          {(token as Tokens.Codespan).text}
        </code>
      )
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-[0.8125rem]">
          {(token as Tokens.Code).text}
        </pre>
      )
    case 'blockquote':
      return <blockquote className="border-l-2 border-line pl-3">{shownTokens(token.tokens)}</blockquote>
    case 'list':
      return <ShownList list={token as Tokens.List} />
    case 'link':
      return <ShownLink link={token as Tokens.Link} />
    case 'image':
      return <span>{(token as Tokens.Image).text}</span>
    case 'table':
      return <ShownTable table={token as Tokens.Table} />
    case 'hr':
      return <hr className="border-line" />
    case 'br':
      return <br />
    case 'space':
      return null
    default:
      return 'tokens' in token && token.tokens !== undefined ? shownTokens(token.tokens) : textOf(token)
  }
}

/** HTML has no parts, so its source is shown. */
function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' && token.type !== 'html' ? token.text : token.raw
}

function ShownList({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index}>{shownTokens(item.tokens)}</li>
  ))
  return list.ordered ? (
    <ol start={list.start === '' ? 1 : list.start} className="list-decimal space-y-1 pl-6">
      {items}
    </ol>
  ) : (
    <ul className="list-disc space-y-1 pl-5">{items}</ul>
  )
}

/** The address is shown too if the text is another: it says where the link leads. */
function ShownLink({ link }: { readonly link: Tokens.Link }) {
  if (!/^https?:\/\//i.test(link.href)) return <span>{link.raw}</span>
  return (
    <>
      <a href={link.href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
        {shownTokens(link.tokens)}
      </a>
      {link.text !== link.href && <span className="text-ink-faint"> ({hostOf(link.href)})</span>}
    </>
  )
}

function hostOf(url: string): string {
  return parsedUrl(url)?.host ?? url
}

function ShownTable({ table }: { readonly table: Tokens.Table }) {
  return (
    <div className="overflow-x-auto">
      <table className="text-left text-sm">
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={index} scope="col" className="border-b border-line px-2 py-1">
                {shownTokens(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {row.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column} className="border-b border-line px-2 py-1">
                  {shownTokens(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
