import { Window } from 'happy-dom'
import { vi } from 'vitest'

/**
 * Opens an empty page with its own storage, until the test ends. Only what a component needs of a browser is global: the
 * gateway in the same process needs the `AbortSignal` and `fetch` of Node.
 */
export function openPage(): Window {
  const page = new Window({ url: 'http://localhost/' })
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page.document)
  vi.stubGlobal('localStorage', page.localStorage)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  return page
}
