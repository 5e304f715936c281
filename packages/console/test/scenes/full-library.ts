import type { StubResources } from '../stub-resources.ts'

const schemaText = '# orders\n\n| column | type |\n| --- | --- |\n| id | bigint |\n| total | numeric |'

/** Fills the pages of resources and prompts like those of a person who has used them. */
export function fillLibrary(library: StubResources): void {
  library.resources = {
    resources: [
      {
        server: 'postgres',
        uri: 'postgres://public/orders',
        name: 'orders',
        description: 'Columns and keys of the table.',
        mimeType: 'text/markdown',
      },
      { server: 'postgres', uri: 'postgres://public/people', name: 'people', mimeType: 'text/markdown' },
      { server: 'github', uri: 'repo://ada/engine/README.md', name: 'README.md', mimeType: 'text/markdown' },
    ],
    templates: [
      {
        server: 'github',
        uriTemplate: 'repo://{owner}/{name}/{+path}',
        name: 'A file of a repository',
        description: 'Any file that you can read.',
      },
    ],
  }
  library.read = ({ uri }) => ({ contents: [{ uri, mimeType: 'text/markdown', text: schemaText }] })
  library.prompts = [
    {
      server: 'github',
      name: 'review',
      title: 'Review a pull request',
      description: 'Asks for a review that looks for mistakes first.',
      arguments: [
        { name: 'repository', description: 'Owner and name.', required: true },
        { name: 'number', required: true },
        { name: 'focus', description: 'What to look at.' },
      ],
    },
    { server: 'postgres', name: 'explain', description: 'Explains a slow statement.' },
  ]
}
