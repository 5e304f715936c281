import { Buffer } from 'node:buffer'

/** Shorter values occur everywhere and are not redacted. */
export const minSecretLength = 6

/** Common values: redacting them would hide information and protect nothing. */
const commonValues: ReadonlySet<string> = new Set([
  '0.0.0.0',
  '127.0.0.1',
  'application/json',
  'basic',
  'bearer',
  'default',
  'development',
  'disabled',
  'enabled',
  'localhost',
  'no-cache',
  'production',
  'staging',
  'text/event-stream',
  'verbose',
  'warning',
])

/** Returns whether a value is specific enough to be redacted. */
export function isRecognizable(value: string): boolean {
  return value.length >= minSecretLength && !commonValues.has(value.toLowerCase())
}

/**
 * The encodings of a value: plain, in names, URLs, JSON and HTML, Base64 and hexadecimal.
 */
export function secretForms(value: string): readonly string[] {
  const forms = [
    value,
    ...nameForms(value),
    ...jsonForms(value),
    ...addressForms(value),
    ...markupForms(value),
    ...base64Forms(value),
    ...hexForms(value),
  ]
  return [...new Set(forms)].filter((form) => form.length >= minSecretLength)
}

/** The forms of a value in tool names. */
function nameForms(value: string): readonly string[] {
  // A value with few letters would become mostly underscores.
  if (value.replaceAll(/[^\dA-Za-z]/g, '').length < minSecretLength) return []
  return [/[^\w-]/g, /\W/g].map((odd) => value.replaceAll(odd, '_'))
}

/** JSON as different languages write it: ASCII only, with escaped slashes (PHP), or safe for HTML (Go). Each also nested. */
function jsonForms(value: string): readonly string[] {
  const whole = inJson(value)
  const ascii = whole.replaceAll(/[\u0080-\uFFFF]/g, escapedUnit)
  const slashed = [whole, ascii].map((text) => text.replaceAll('/', String.raw`\/`))
  const forms = [whole, ascii, ...slashed, whole.replaceAll(/[<>&]/g, escapedUnit)]
  return forms.flatMap((form) => [form, inJson(form)])
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** As JavaScript and as other languages encode it, which differ in `!'()*~` and in spaces. */
function addressForms(value: string): readonly string[] {
  // A lone surrogate cannot be percent-encoded.
  const whole = value.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  const component = encodeURIComponent(whole)
  const strict = component.replaceAll(/[!'()*]/g, percentEncoded)
  const form = new URLSearchParams([['', whole]]).toString().slice(1)
  const forms = [component, encodeURI(whole), form, strict, strict.replaceAll('%20', '+')]
  return forms.flatMap((text) => [text, text.replaceAll(/%../g, lower)])
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** In the text or an attribute of HTML and XML, such as the error pages of proxies. */
function markupForms(value: string): readonly string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return [
    text,
    text.replaceAll('"', '&quot;'),
    ...['&#39;', '&#x27;'].flatMap((apostrophe) =>
      ['&quot;', '&#34;'].map((quote) => text.replaceAll('"', quote).replaceAll("'", apostrophe)),
    ),
  ]
}

function lower(text: string): string {
  return text.toLowerCase()
}

/**
 * Base64 in both alphabets, also inside a longer value: the bytes before shift it by zero, one or two, and characters that
 * share bits with neighbours are omitted.
 */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((moved) => {
    const text = Buffer.concat([Buffer.alloc(moved), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const own = text.slice(moved === 0 ? 0 : moved + 1)
    const isWhole = (moved + bytes.length) % 3 === 0
    const forms = isWhole ? [own] : [own, own.slice(0, -1)]
    return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
  })
}

function hexForms(value: string): readonly string[] {
  const text = Buffer.from(value).toString('hex')
  return [text, text.toUpperCase()]
}
