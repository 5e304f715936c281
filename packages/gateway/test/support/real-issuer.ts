import type { Lockbox } from '@toolbridge/lockbox'
import type { AuthorizationFixture } from '@toolbridge/testkit/authorization'
import type { Page } from '@toolbridge/testkit/browser'
import { createPeople, type People } from '../../src/sign-in/oidc/people.ts'

/** The people of a real issuer, at which the console and the command are registered as one client. */
export async function peopleOfIssuer(
  { issuer, resource: audience }: AuthorizationFixture,
  { lockbox, redirectUri }: { readonly lockbox: Lockbox; readonly redirectUri: string },
): Promise<People> {
  const clientId = await register(issuer, [redirectUri, 'http://127.0.0.1/callback'])
  const oidc = { issuer, audience, clientId }
  return createPeople({ oidc, redirectUri, store: lockbox.bearerTokens, log: () => undefined })
}

async function register(issuer: string, redirectUris: readonly string[]): Promise<string> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

/** Enters the name and agrees, on the pages of the issuer that are shown. */
export async function answerIssuer(at: Page, name: string): Promise<void> {
  await at.locator('[name=login], [name=decision]').first().waitFor()
  if ((await at.locator('[name=login]').count()) > 0) {
    await at.locator('[name=login]').fill(name)
    await at.keyboard.press('Enter')
    await at.locator('[name=decision]').first().waitFor()
  }
  await at.locator('[name=decision][value=allow]').click()
}

/** Signs in again, from the dialog over the pages of a sign-in that ended. */
export async function signInAgain(page: Page, name: string): Promise<void> {
  const blocker = page.getByRole('alertdialog', { name: 'You are signed out' })
  await blocker.waitFor()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    blocker.getByRole('button', { name: 'Sign in' }).click(),
  ])
  const shown = tab.getByRole('heading', { name: 'Servers' }).waitFor()
  // The person is still signed in at the issuer, which may ask for nothing.
  await Promise.race([shown, answerIssuer(tab, name).catch(() => undefined)])
  await shown
  await tab.close()
  await blocker.waitFor({ state: 'detached' })
}
