const PREFIX = 'erased-';
const LENGTH = 12;

/** The name shown for an erased person: a prefix and the end of their ID, the same in every language. */
export function pseudonymOf(person: string): string {
  const id = person.replace(/^name:/, '').replaceAll(/[^0-9a-z]/gi, '');
  return `${PREFIX}${id.slice(-LENGTH).toLowerCase()}`;
}

export const isPseudonym = (text: string): boolean => text.startsWith(PREFIX);
