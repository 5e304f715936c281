/** Whether a message is about an approval that nobody could give. */
export function isMissingApproval(message: string): boolean {
  const [, ...after] = message.split('needs an approval ')
  const hasNoAnswerer = after.some((text) => text.includes(' and there is no answerer'))
  return hasNoAnswerer || message.endsWith(': the answerer could not ask')
}

/** The message about an approval that nobody gave, with advice for people at a command line instead of for programs. */
export function missingApproval(message: string): string {
  const [what = '', advice = 'only a person'] = message.split(' and there is no answerer')
  const isCall = !/^\w+:\/\//.test(message)
  const approve = isCall
    ? ', or approve the call with --yes or --allow <rule>'
    : ', or approve it with --allow <rule>'
  const flags = advice.includes('only a person') ? '' : approve
  const plain = what.replace('the answerer could not ask', 'only a person can give it')
  return `${plain}. Run the command at a terminal to answer${flags}`
}
