import { useGateway } from '@toolbridge/react'
import { openSignInWindow } from '../sign-in/sign-in-window.ts'
import { Button } from '../ui/button.tsx'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'

/** Opens the sign-in of a server in a window, which closes when it is done; in this tab if the browser allows no window. */
export function SignInButton({ name }: { readonly name: string }) {
  const gateway = useGateway()
  const begin = useAction(() => gateway.beginServerSignIn(name))
  const toast = useToast()
  const open = (): void => {
    const opened = openSignInWindow()
    begin.run(undefined, {
      onSuccess: ({ url }) => (opened ?? window).location.assign(url),
      onError: (error) => {
        opened?.close()
        toast({ tone: 'fail', title: 'The sign-in could not begin', detail: sentence(error.message) })
      },
    })
  }
  return (
    <Button aria-label={`Sign in to ${name}`} disabled={begin.isRunning} onClick={open}>
      Sign in
    </Button>
  )
}
