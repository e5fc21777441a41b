const PREFIX = 'erased-';
const LENGTH = 12;

/** What an erased person is called: the end of their id, the same in every language. */
export function pseudonymOf(person: string): string {
  const id = person.replace(/^name:/, '').replaceAll(/[^0-9a-z]/gi, '');
  return `${PREFIX}${id.slice(-LENGTH).toLowerCase()}`;
}

export const isPseudonym = (text: string): boolean => text.startsWith(PREFIX);
