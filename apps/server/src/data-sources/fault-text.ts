import { toPlainName } from '@deviceportal/contract/plain-name';

const MAX_CHARACTERS = 300;

/** An error of an outside system, as administrators see it: its name and its message. */
export function faultText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
  return toPlainName(text).slice(0, MAX_CHARACTERS);
}
