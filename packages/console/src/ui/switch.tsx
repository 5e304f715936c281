import { Switch as Parts } from 'radix-ui'

/** Properties of `Switch`. */
export interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

/** A switch that takes effect immediately. */
export function Switch({ label, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <Parts.Root
      aria-label={label}
      title={label}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={onChange}
      className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors disabled:opacity-45 data-[state=checked]:border-ink data-[state=checked]:bg-ink"
    >
      <Parts.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-ink-faint transition-transform data-[state=checked]:translate-x-[1.125rem] data-[state=checked]:bg-paper" />
    </Parts.Root>
  )
}
