import { DropdownMenu as Parts } from 'radix-ui'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

/** An item of a menu. */
export interface MenuItem {
  readonly label: string
  readonly isDanger?: boolean
  readonly onSelect: () => void
}

/** A menu behind a button with three dots. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  return (
    <Parts.Root>
      <Parts.Trigger asChild>
        <IconButton label={label} icon="more" className="data-[state=open]:bg-tint" />
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Content
          align="end"
          sideOffset={4}
          className="appear z-30 min-w-40 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {items.map((item) => (
            <Parts.Item
              key={item.label}
              onSelect={item.onSelect}
              className={classNames(
                'cursor-pointer rounded px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-tint',
                item.isDanger === true && 'text-fail',
              )}
            >
              {item.label}
            </Parts.Item>
          ))}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}
