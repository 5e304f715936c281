import { useGateway } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../ui/use-action.ts'

/** Leads to the sign-in of a server, which leads back to this console. */
export function SignInButton({ name }: { readonly name: string }) {
  const gateway = useGateway()
  const begin = useAction(() => gateway.beginServerSignIn(name))
  const toast = useToast()
  const handlers = {
    onSuccess: ({ url }: { readonly url: string }): void => window.location.assign(url),
    onError: (error: Error): void =>
      toast({ tone: 'fail', title: 'The sign-in could not begin', detail: sentence(error) }),
  }
  return (
    <div className="mt-3 md:ml-[8rem]">
      <Button
        aria-label={`Sign in to ${name}`}
        disabled={begin.isRunning}
        onClick={() => begin.run(undefined, handlers)}
      >
        Sign in
      </Button>
    </div>
  )
}
