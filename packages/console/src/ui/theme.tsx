import { useState } from 'react'
import { controlClasses } from './field.tsx'

/** Colours of the console. `system`: those of the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const storageKey = 'toolbridge.theme'

/** Applies the stored theme to the page. Default: `system`. */
export function applyStoredTheme(): void {
  applyTheme(storedTheme())
}

/** A choice of the theme, stored in this browser. */
export function ThemeSelect() {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (chosen: Theme): void => {
    setTheme(chosen)
    applyTheme(chosen)
    localStorage.setItem(storageKey, chosen)
  }
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={(event) => choose(themeOf(event.target.value))}
      className={`${controlClasses} w-auto py-1 text-xs`}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {`${name[0]?.toUpperCase()}${name.slice(1)}`}
        </option>
      ))}
    </select>
  )
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}

function storedTheme(): Theme {
  return themeOf(localStorage.getItem(storageKey))
}

function themeOf(name: string | null): Theme {
  return themes.find((theme) => theme === name) ?? 'system'
}
