import { createHash } from 'node:crypto';

/** Hexadecimal SHA-256 of a text in UTF-8. */
export function textSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Hash of a version: of content and phases, or of the content alone if there are no phases. */
export function versionSha256(texts: {
  readonly content: string;
  readonly phasesText: string;
}): string {
  const { content, phasesText } = texts;
  return textSha256(phasesText === '' ? content : `${content}\0${phasesText}`);
}
