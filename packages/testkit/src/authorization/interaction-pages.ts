import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type Provider from 'oidc-provider'
import type { Interaction } from 'oidc-provider'

type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * The pages where a person logs in (a form with the field `login`) and consents (a form with the buttons `decision`
 * = `allow` and `deny`). They work in a browser and by plain posts.
 */
export function interactionPages(provider: Provider): Pages {
  return async (request, response) => {
    const interaction = await provider.interactionDetails(request, response)
    if (request.method !== 'POST') return show(interaction, response)
    const form = new URLSearchParams(await text(request))
    const result = await resultOf(provider, interaction, form)
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }
}

async function resultOf(
  provider: Provider,
  interaction: Interaction,
  form: URLSearchParams,
): Promise<Record<string, unknown>> {
  const login = form.get('login')
  if (interaction.prompt.name === 'login' && login !== null) return { login: { accountId: login } }
  if (form.get('decision') !== 'allow') {
    return { error: 'access_denied', error_description: 'the person said no' }
  }
  return { consent: { grantId: await grantedBy(provider, interaction) } }
}

async function grantedBy(
  provider: Provider,
  { grantId, session, params, prompt }: Interaction,
): Promise<string> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? '', clientId: params['client_id'] ?? '' })
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details
  if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(' '))
  }
  return grant.save()
}

function show({ prompt, params }: Interaction, response: ServerResponse): void {
  const form =
    prompt.name === 'login'
      ? '<label>Name <input name="login" required autofocus></label><button>Log in</button>'
      : `<p>${escaped(params['client_id'])} wants: ${escaped(params['scope'])}</p>
         <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><html lang="en"><title>${prompt.name}</title><form method="post">${form}</form></html>`,
  )
}

function escaped(value = ''): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
