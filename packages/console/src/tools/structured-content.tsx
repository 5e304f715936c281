import { JsonCode } from '../ui/code.tsx'
import { isJsonObject, type JsonObject } from '../ui/json.ts'

/** Rows, columns, and characters of a cell that are shown; more are in the raw result. */
const limits = { rows: 200, columns: 12, characters: 1_000 }

/** Structured content: a table for a list of objects, else JSON. */
export function StructuredContent({ value }: { readonly value: unknown }) {
  const rows = rowsOf(value)
  return rows === undefined ? <JsonCode label="Structured content" value={value} /> : <Table rows={rows} />
}

/** The list, or the only list of an object, if all its items are objects. */
function rowsOf(value: unknown): readonly JsonObject[] | undefined {
  const list: readonly unknown[] | undefined = Array.isArray(value) ? value : onlyList(value)
  return list !== undefined && list.length > 0 && list.every(isJsonObject) ? list : undefined
}

function onlyList(value: unknown): readonly unknown[] | undefined {
  const [only, another] = isJsonObject(value) ? Object.values(value) : []
  return another === undefined && Array.isArray(only) ? only : undefined
}

function Table({ rows }: { readonly rows: readonly JsonObject[] }) {
  const shown = rows.slice(0, limits.rows)
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, limits.columns)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div
      tabIndex={0}
      role="region"
      aria-label="Structured content"
      className="max-h-96 overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-left text-[0.8125rem]">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map((row, index) => (
            // Rows have no id, and a result never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {columns.map((name) => (
                <td key={name} className="px-3 py-1.5 align-top wrap-anywhere">
                  {cellText(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <p className="px-3 py-2 text-xs text-ink-faint">{`${rows.length - shown.length} more rows are in the raw result.`}</p>
      )}
    </div>
  )
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > limits.characters ? `${text.slice(0, limits.characters)}…` : text
}
