const CHARACTERS = 400;

/** Name and message of an error of an AWS client, in one line. */
export function answerOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  const text = [error.name, error.message].filter((part) => part !== '').join(': ');
  return text.replaceAll(/\s+/g, ' ').slice(0, CHARACTERS);
}
