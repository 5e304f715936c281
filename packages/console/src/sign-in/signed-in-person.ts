/** Key of the person in the storage that all tabs share. */
export const personKey = 'toolbridge.person'

/** The person whose pages are shown; empty if no one is signed in. */
export function signedInPerson(): string {
  return localStorage.getItem(personKey) ?? ''
}
