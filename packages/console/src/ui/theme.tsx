import { useState } from 'react'
import { Icon } from './icon.tsx'

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
    <span
      title="Theme"
      className="relative grid size-9 place-items-center rounded-md text-ink-soft outline-accent hover:bg-tint hover:text-ink has-focus-visible:outline-2"
    >
      <Icon name="theme" />
      {/* Native, so that it works like every other choice of the device; the icon takes less space than its text. */}
      <select
        aria-label="Theme"
        value={theme}
        onChange={(event) => choose(themeOf(event.target.value))}
        className="absolute inset-0 cursor-pointer bg-surface text-ink opacity-0"
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {`${name[0]?.toUpperCase()}${name.slice(1)}`}
          </option>
        ))}
      </select>
    </span>
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
