import { expect, test } from 'vitest'
import { missingPlatformPackages } from '../scripts/platform-packages.mjs'
import { readText, repositoryFiles } from './house/repository.ts'

const sources = repositoryFiles(/\.(ts|tsx|mjs|css)$/)
const texts = repositoryFiles(/\.(ts|tsx|mjs|json|md|css|html|sql|sh)$|^\.(npmrc|gitignore)$|^\.ci\//)

test('no source file is longer than 400 lines', () => {
  const long = sources.filter((file) => readText(file).split('\n').length > 400)
  expect(long).toEqual([])
})

test('the lock file holds no download address', () => {
  expect(readText('package-lock.json')).not.toMatch(/"resolved": "https?:/)
})

test('the lock file holds every platform package, also those that a mirror may lack', () => {
  // `node scripts/complete-lockfile.mjs` adds them.
  expect(missingPlatformPackages(JSON.parse(readText('package-lock.json')))).toEqual([])
})

test('the continuous integration runs the test command of the README and nothing else', () => {
  const commands = readText('.ci/run')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('set '))
  expect(commands).toHaveLength(1)
  expect(readText('README.md')).toContain(commands[0])
})

test('no test is switched off without a reason on the line before it, and none is singled out', () => {
  const marked = repositoryFiles(/\.test\.tsx?$/).flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index, lines) => {
        if (/\b(test|it|describe)\.only\b/.test(line)) return [`${file}:${index + 1} only`]
        const off = /\b(test|it|describe)\.(skip|todo|skipIf|runIf)\b/.test(line)
        return off && !/\/\/ \S/.test(lines[index - 1] ?? '') ? [`${file}:${index + 1} no reason`] : []
      }),
  )
  expect(marked).toEqual([])
})

test('types are never switched off', () => {
  const pattern = new RegExp(['@ts-(?:ignore', 'nocheck)|\\bas any\\b'].join('|'))
  expect(
    sources.filter((file) => file !== 'test/house-rules.test.ts' && pattern.test(readText(file))),
  ).toEqual([])
})

test('the packages read addresses with parsedUrl: URL.canParse refuses accented letters once it is compiled', () => {
  const own = 'packages/client/src/text/parsed-url.ts'
  const sourcesOfPackages = sources.filter((file) => /^packages\/[a-z]+\/src\//.test(file) && file !== own)
  expect(sourcesOfPackages.filter((file) => readText(file).includes('canParse'))).toEqual([])
})

test('no file names a package registry', () => {
  const host = ['registry', 'npmjs', 'org'].join('.')
  expect(texts.filter((file) => readText(file).includes(host))).toEqual([])
})

test('links between documents lead to a file', () => {
  const documents = repositoryFiles(/\.md$/)
  const present = new Set(repositoryFiles(/./))
  const broken = documents.flatMap((file) => linksIn(file).filter((target) => !leadsToFile(target, present)))
  expect(broken).toEqual([])
})

function linksIn(file: string): readonly string[] {
  const folder = file.split('/').slice(0, -1)
  return [...readText(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) =>
    normalised([...folder, ...(match[1] ?? '').split('/')]),
  )
}

function normalised(parts: readonly string[]): string {
  const out: string[] = []
  for (const part of parts) {
    if (part === '..') out.pop()
    else if (part !== '.' && part !== '') out.push(part)
  }
  return out.join('/')
}

function leadsToFile(target: string, files: ReadonlySet<string>): boolean {
  return files.has(target) || [...files].some((file) => file.startsWith(`${target}/`))
}
