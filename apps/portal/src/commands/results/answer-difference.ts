import { diffWordsWithSpace } from 'diff';

/** A part of an output as compared with the most frequent output. */
export interface DifferencePart {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Characters of equal text that are shown around a difference, and of the whole result. */
const CONTEXT_CHARACTERS = 24;
const MAX_CHARACTERS = 240;
/** Above this number of changed words, outputs have too little in common to show a difference. */
const MAX_CHANGES = 120;

/**
 * What an output has that the most frequent one has not, with a little context. Empty if the texts
 * are equal; null if they have too little in common.
 */
export function answerDifference(common: string, text: string): readonly DifferencePart[] | null {
  const changes = diffWordsWithSpace(common, text, { maxEditLength: MAX_CHANGES });
  if (changes === undefined) return null;
  const isDifferent = changes.some(({ added, removed }) => added || removed);
  if (!isDifferent) return [];
  const hasCommon = changes.some(
    ({ added, removed, value }) => !added && !removed && value.trim() !== '',
  );
  if (!hasCommon) return null;
  const parts = changes.flatMap(({ added, removed, value }, index): DifferencePart[] => {
    if (added) return [{ kind: 'added', text: oneLine(value) }];
    if (removed) return [{ kind: 'removed', text: oneLine(value) }];
    return contextOf(oneLine(value), {
      isFirst: index === 0,
      isLast: index === changes.length - 1,
    });
  });
  return shortened(parts);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
const skipped: DifferencePart = { kind: 'skipped', text: '…' };

/** Equal text is reduced to what is next to a difference. */
function contextOf(
  text: string,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): DifferencePart[] {
  const same = (part: string): DifferencePart[] =>
    part === '' ? [] : [{ kind: 'same', text: part }];
  const room = isFirst || isLast ? CONTEXT_CHARACTERS : 2 * CONTEXT_CHARACTERS;
  if (text.length <= room) return same(text);
  return [
    ...(isFirst ? [] : same(text.slice(0, CONTEXT_CHARACTERS))),
    skipped,
    ...(isLast ? [] : same(text.slice(-CONTEXT_CHARACTERS))),
  ];
}

function shortened(parts: readonly DifferencePart[]): DifferencePart[] {
  const shown: DifferencePart[] = [];
  let left = MAX_CHARACTERS;
  for (const part of parts) {
    if (left <= 0) return [...shown, skipped];
    shown.push({ ...part, text: part.text.slice(0, left) });
    left -= part.text.length;
  }
  return shown;
}
