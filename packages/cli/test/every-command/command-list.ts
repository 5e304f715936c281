import { runInProcess } from '../in-process.ts'

/** The names of the commands that a help text lists. */
export function commandsIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm)].map(([, name = '']) => name)
}

export async function helpOf(name = ''): Promise<string> {
  const words = name === '' ? [] : name.split(' ')
  return (await runInProcess([...words, '--help'])).stdout
}

/** Every command that can be run, by its name, with its help. Of a command with subcommands only these. */
export async function commandHelps(): Promise<ReadonlyMap<string, string>> {
  const names = commandsIn(await helpOf())
  const helps = await Promise.all(names.map(async (name) => [name, await helpOf(name)] as const))
  const all = helps.map(async ([name, help]) => {
    const subcommands = commandsIn(help).filter((each) => each.startsWith(`${name} `))
    if (subcommands.length === 0) return [[name, help] as const]
    return Promise.all(subcommands.map(async (each) => [each, await helpOf(each)] as const))
  })
  return new Map((await Promise.all(all)).flat())
}
