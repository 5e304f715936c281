import type { Command } from '../command.ts'

/** Takes the list of all commands as a function, because the command is part of it. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print a script that completes command lines in bash, zsh or fish',
    usage: [
      'Usage: toolbridge completion bash|zsh|fish',
      '',
      'Completes commands, their options and file names. To load it in every shell, add the line to the file:',
      '  bash   ~/.bashrc                                    source <(toolbridge completion bash)',
      '  zsh    ~/.zshrc, after compinit                     source <(toolbridge completion zsh)',
      '  fish   ~/.config/fish/completions/toolbridge.fish   toolbridge completion fish | source',
    ].join('\n'),
    options: {},
    maxArguments: 1,
    load: async () => (await import('../actions/completion.ts')).printCompletion(commands()),
  }
}
