import './without-eval.ts'
import { createGatewayClient, createGatewayStore } from '@toolbridge/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeServerCallback } from './sign-in/server-callback.ts'
import { SignInStore } from './sign-in/sign-in-store.ts'
import { CallStore } from './tools/call-store.ts'
import { FaultBoundary } from './ui/fault-boundary.tsx'
import { applyStoredTheme } from './ui/theme.tsx'

const signIn = new SignInStore(window)
const gateway = createGatewayClient({ token: signIn.token, fetch: signIn.watch(fetch) })
const store = createGatewayStore(gateway)
const calls = new CallStore(gateway)
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no element "root"')

applyStoredTheme()
const callback = takeServerCallback(window)
// A failure leaves the server without an account, which the list of servers shows.
if (callback !== undefined) gateway.finishServerSignIn(callback).catch(() => undefined)
signIn.start(createGatewayClient())
createRoot(root).render(
  <StrictMode>
    <FaultBoundary>
      <App signIn={signIn} gateway={gateway} store={store} calls={calls} />
    </FaultBoundary>
  </StrictMode>,
)
