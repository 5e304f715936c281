/** One value of a metric. */
export interface MetricSample {
  /** Appended to the name of the metric, such as `_bucket`. Default: nothing. */
  readonly suffix?: string
  /** Default: none. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with its samples. */
export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** The media type of `prometheusText`. */
export const prometheusMediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes metrics in the text format of Prometheus. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics.map(linesOf).join('')
}

function linesOf({ name, type, help, samples }: Metric): string {
  const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
  return head + samples.map((sample) => lineOf(name, sample)).join('')
}

function lineOf(name: string, { suffix = '', labels = {}, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  const set = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix}${set} ${value === Infinity ? '+Inf' : value}\n`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
