import type { ReactNode } from 'react'
import { controlClasses } from './field.tsx'

/** Properties of `Filter`. */
export interface FilterProps {
  /** Name of the field to search in: `Search calls`. */
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  /** Further choices. */
  readonly children: ReactNode
}

/** A search and choices that narrow a list. */
export function Filter({ label, text, onText, children }: FilterProps) {
  return (
    <div role="search" aria-label="Filter" className="mb-4 flex flex-wrap gap-2">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className={`${controlClasses} flex-1 basis-full sm:basis-40`}
      />
      {children}
    </div>
  )
}

/** Properties of `FilterChoice`. */
export interface FilterChoiceProps {
  readonly label: string
  /** Text of the choice that excludes nothing: `All servers`. */
  readonly all: string
  /** Empty if nothing is excluded. */
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

/** One choice of a `Filter`. */
export function FilterChoice({ label, all, value, options, onChange }: FilterChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${controlClasses} flex-1 basis-36 sm:max-w-52`}
    >
      <option value="">{all}</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  )
}
