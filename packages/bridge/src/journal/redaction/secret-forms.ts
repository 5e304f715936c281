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
 * The encodings of a value: plain, in names, URLs and JSON, Base64 and hexadecimal.
 */
export function secretForms(value: string): readonly string[] {
  const forms = [
    value,
    ...nameForms(value),
    ...jsonForms(value),
    ...addressForms(value),
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

/** JSON, nested JSON, and ASCII-only JSON. */
function jsonForms(value: string): readonly string[] {
  const once = JSON.stringify(value).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return [once, twice, once.replaceAll(/[\u0080-\uFFFF]/g, escapedUnit)]
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function addressForms(value: string): readonly string[] {
  // A lone surrogate cannot be percent-encoded.
  const whole = value.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  const component = encodeURIComponent(whole)
  const form = new URLSearchParams([['', whole]]).toString().slice(1)
  return [component, encodeURI(whole), form].flatMap((text) => [text, text.replaceAll(/%../g, lower)])
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
