import * as react from 'react'
import * as runtime from 'react/jsx-runtime'
import { visibleText } from './ui/visible-text.ts'

export { Fragment } from 'react/jsx-runtime'

/**
 * The functions that JSX is compiled to. Every text and label that the console shows passes here, so none of them has hidden
 * characters, wherever it comes from. What is sent stays as it is: values of controls are not changed.
 */
export const jsx: typeof runtime.jsx = (type, props, key) => runtime.jsx(type, visibleProps(type, props), key)
export const jsxs: typeof runtime.jsxs = (type, props, key) =>
  runtime.jsxs(type, visibleProps(type, props), key)
/** JSX with a key behind spread properties is compiled to this. */
export const createElement = (type: react.ElementType, props: object, ...children: react.ReactNode[]) =>
  react.createElement(
    type,
    visibleProps(type, props) as object,
    ...(children.map(visible) as react.ReactNode[]),
  )

type Props = Readonly<Record<string, unknown>>

const shown = ['title', 'aria-label', 'aria-description', 'placeholder', 'alt', 'label', 'children']

function visibleProps(type: unknown, props: unknown): unknown {
  const given = props as Props
  const changes = Object.fromEntries(
    shown.flatMap((name) => {
      const [before, after] = [given[name], visible(given[name])]
      return before === after ? [] : [[name, after]]
    }),
  )
  if (Object.keys(changes).length === 0) return props
  // The value of an option is its text, unless it has another.
  return type === 'option' ? { value: given['children'], ...given, ...changes } : { ...given, ...changes }
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (!Array.isArray(value)) return value
  const parts = value.map(visible)
  return parts.every((part, index) => part === value[index]) ? value : parts
}
