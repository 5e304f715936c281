import { type ReactNode, useId } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { controlClasses, FieldError, FieldHint } from '../ui/field.tsx'
import {
  BlockField,
  CheckField,
  ChoiceField,
  ChoicesField,
  FieldLegend,
  joined,
  LineField,
  rangeText,
  shownHint,
} from './controls.tsx'
import {
  type Draft,
  type DraftItem,
  type DraftValue,
  emptyDraft,
  initialDraft,
  ownOf,
  withItem,
} from './draft.ts'
import type { ControlProps, SchemaFieldProps } from './field-props.ts'
import { childPath } from './read-draft.ts'
import type { FormField, GroupField, ListField, MapField, VariantField } from './schema.ts'
import { focusAdded } from '../ui/use-return-focus.ts'

/** The control for a field. */
export function SchemaField(nested: SchemaFieldProps) {
  const { field, textEntry } = nested
  const props = { ...nested, error: ownOf(nested.errors, nested.path) }
  switch (field.kind) {
    case 'group':
      return <GroupControl {...props} field={field} />
    case 'list':
      return <ListControl {...props} field={field} />
    case 'map':
      return <MapControl {...props} field={field} />
    case 'variant':
      return <VariantControl {...props} field={field} />
    case 'constant':
      return null
    case 'switch':
      return <CheckField {...props} />
    case 'choices':
      return <ChoicesField {...props} choices={field.choices} />
    case 'choice':
      return <ChoiceField {...props} choices={field.choices} />
    case 'json':
      return <BlockField {...props} hint={joined(field.hint, 'Enter JSON.')} isCode />
    case 'text':
      if (textEntry === 'block' && field.type === 'text')
        return <BlockField {...props} hint={field.hint} isCode={false} />
      return <LineField {...props} type={field.type} hint={field.hint} />
    case 'number':
      return (
        <LineField {...props} type="text" inputMode="decimal" hint={joined(field.hint, rangeText(field))} />
      )
  }
}

type Nested<Field extends FormField> = Omit<ControlProps, 'field'> & { readonly field: Field }

/** Properties of `GroupFields`. */
export interface GroupFieldsProps extends Pick<SchemaFieldProps, 'path' | 'textEntry' | 'errors'> {
  readonly fields: readonly FormField[]
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** The controls of an object. */
export function GroupFields({ fields, path, draft, onChange, ...rest }: GroupFieldsProps) {
  return fields.map((field) => (
    <SchemaField
      {...rest}
      key={field.name}
      field={field}
      path={childPath(path, field.name)}
      draft={ownOf(draft, field.name)}
      onChange={(value) => onChange({ ...draft, [field.name]: value })}
    />
  ))
}

/** An object. An optional one is added and removed as a whole. */
function GroupControl({ field, draft, onChange, error, ...rest }: Nested<GroupField>) {
  const fields = typeof draft === 'object' && 'fields' in draft ? draft.fields : undefined
  const add = (): void => onChange({ fields: emptyDraft(field.fields) })
  const action =
    fields === undefined ? (
      <AddButton label={field.label} onClick={add} />
    ) : (
      !field.isRequired && <RemoveButton label={field.label} onClick={() => onChange(undefined)} />
    )
  return (
    <Frame field={field} error={error} action={action}>
      {fields !== undefined && (
        <GroupFields
          {...rest}
          fields={field.fields}
          draft={fields}
          onChange={(changed) => onChange({ fields: changed })}
        />
      )}
    </Frame>
  )
}

/** A list whose items are added and removed one by one. */
function ListControl({ field, path, draft, error, onChange, ...rest }: Nested<ListField>) {
  const items = itemsOf(draft)
  const add = (): void => onChange({ items: withItem(items, initialDraft(field.item)) })
  return (
    <Frame
      field={field}
      path={path}
      error={error}
      action={<AddButton label={itemLabel(field)} onClick={add} />}
    >
      {items.map((item, index) => (
        <ItemRow
          key={item.key}
          label={`${field.label} ${index + 1}`}
          onRemove={() => onChange({ items: items.filter(({ key }) => key !== item.key) })}
        >
          <SchemaField
            {...rest}
            field={{ ...field.item, label: `${field.label} ${index + 1}` }}
            path={childPath(path, index)}
            draft={item.value}
            onChange={(value) => onChange({ items: replaced(items, { ...item, value }) })}
          />
        </ItemRow>
      ))}
    </Frame>
  )
}

/** An object whose names are entered too. */
function MapControl({ field, path, draft, errors, error, onChange, ...rest }: Nested<MapField>) {
  const items = itemsOf(draft)
  const add = (): void => onChange({ items: withItem(items, initialDraft(field.value)) })
  return (
    <Frame
      field={field}
      path={path}
      error={error}
      action={<AddButton label={`entry of ${field.label}`} onClick={add} />}
    >
      {items.map((item, index) => {
        const entryPath = childPath(path, index)
        return (
          <ItemRow
            key={item.key}
            label={item.name === '' ? `entry ${index + 1} of ${field.label}` : item.name}
            onRemove={() => onChange({ items: items.filter(({ key }) => key !== item.key) })}
          >
            <NameControl
              path={entryPath}
              name={item.name}
              error={ownOf(errors, entryPath)}
              onChange={(name) => onChange({ items: replaced(items, { ...item, name }) })}
            />
            <SchemaField
              {...rest}
              errors={errors}
              field={{ ...field.value, label: 'Value' }}
              path={childPath(entryPath, 'value')}
              draft={item.value}
              onChange={(value) => onChange({ items: replaced(items, { ...item, value }) })}
            />
          </ItemRow>
        )
      })}
    </Frame>
  )
}

/** A value of one of several kinds: the kind first, then its control. */
function VariantControl({ field, path, draft, error, onChange, ...rest }: Nested<VariantField>) {
  const id = useId()
  const chosen = typeof draft === 'object' && 'option' in draft ? draft : undefined
  const option = chosen && field.options[chosen.option]
  const choose = (index: number): void => {
    const next = field.options[index]
    onChange(next && { option: index, value: initialDraft(next) })
  }
  return (
    <Frame field={field} error={option === undefined ? error : undefined}>
      <select
        id={id}
        name={option === undefined ? path : undefined}
        aria-label={`Kind of ${field.label}`}
        value={chosen?.option ?? ''}
        onChange={(event) => choose(event.target.value === '' ? -1 : Number(event.target.value))}
        className={controlClasses}
      >
        <option value="">{field.isRequired ? 'Choose…' : 'Not set'}</option>
        {field.options.map(({ label }, index) => (
          // Options have no id, and those of a field never change.
          // oxlint-disable-next-line react/no-array-index-key
          <option key={index} value={index}>
            {label}
          </option>
        ))}
      </select>
      {option !== undefined && (
        <SchemaField
          {...rest}
          field={option}
          path={path}
          draft={chosen?.value}
          onChange={(value) => onChange({ option: chosen?.option ?? 0, value })}
        />
      )}
    </Frame>
  )
}

function itemsOf(draft: DraftValue | undefined): readonly DraftItem[] {
  return typeof draft === 'object' && 'items' in draft ? draft.items : []
}

function replaced(items: readonly DraftItem[], item: DraftItem): readonly DraftItem[] {
  return items.map((other) => (other.key === item.key ? item : other))
}

function itemLabel({ item, label }: ListField): string {
  return item.label === '' ? `item of ${label}` : item.label
}

interface FrameProps {
  readonly field: FormField
  /** Of a field whose own errors have no control that could be focused. */
  readonly path?: string
  readonly error: string | undefined
  readonly action?: ReactNode
  readonly children: ReactNode
}

function Frame({ field, path, error, action, children }: FrameProps) {
  const id = useId()
  return (
    <fieldset
      name={path}
      tabIndex={path === undefined ? undefined : -1}
      aria-describedby={`${id}hint ${id}error`}
      className="min-w-0 outline-offset-4"
    >
      <FieldLegend field={field} />
      {field.hint !== undefined && <FieldHint id={`${id}hint`}>{shownHint(field.hint)}</FieldHint>}
      <div data-items className="mt-2 space-y-4 border-l border-line pl-4 empty:hidden">
        {children}
      </div>
      {error !== undefined && <FieldError id={`${id}error`}>{error}</FieldError>}
      {action && <div className="mt-2">{action}</div>}
    </fieldset>
  )
}

interface ItemRowProps {
  readonly label: string
  readonly onRemove: () => void
  readonly children: ReactNode
}

function ItemRow({ label, onRemove, children }: ItemRowProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1 space-y-2">{children}</div>
      <IconButton label={`Remove ${label}`} icon="close" onClick={onRemove} />
    </div>
  )
}

interface NameControlProps {
  readonly path: string
  readonly name: string
  readonly error: string | undefined
  readonly onChange: (name: string) => void
}

function NameControl({ path, name, error, onChange }: NameControlProps) {
  const id = useId()
  return (
    <div>
      <input
        name={path}
        aria-label="Name"
        placeholder="Name"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        autoComplete="off"
        value={name}
        onChange={(event) => onChange(event.target.value)}
        className={`${controlClasses} font-mono text-[0.8125rem]`}
      />
      {error !== undefined && <FieldError id={id}>{error}</FieldError>}
    </div>
  )
}

interface LabelledButtonProps {
  readonly label: string
  readonly onClick: () => void
}

function AddButton({ label, onClick }: LabelledButtonProps) {
  return (
    <Button
      icon="plus"
      onClick={({ currentTarget }) =>
        focusAdded(onClick, () => currentTarget.closest('fieldset')?.querySelector(':scope > [data-items]'))
      }
      className="max-w-full"
    >
      <span className="truncate">Add {label}</span>
    </Button>
  )
}

function RemoveButton({ label, onClick }: LabelledButtonProps) {
  return (
    <Button tone="quiet" onClick={onClick} aria-label={`Remove ${label}`}>
      Remove
    </Button>
  )
}
