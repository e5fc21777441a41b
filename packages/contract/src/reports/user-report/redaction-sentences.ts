import { hiddenWords } from './hidden-words.ts';
import { reportWords } from './report-words.ts';
import type { AppliedRedaction, UserReportDocument } from './user-report-document.ts';

/** What the sender has hidden, from the rules that were applied; empty if nothing was shared. */
export function redactionSentences({ language, redaction }: UserReportDocument): string[] {
  if (redaction === undefined) return [];
  const words = reportWords(language);
  const hidden = (['otherPeople', 'contact', 'networks'] as const).filter(
    (rule) => redaction[rule],
  );
  return [
    words.redaction.hidden(hiddenWords[language], [
      words.redaction.secrets,
      ...hidden.map((rule) => words.redaction[rule]),
      ...(redaction.place === 'none' ? [words.redaction.places] : []),
    ]),
    freeTextSentence(redaction, language),
  ].filter((sentence) => sentence !== '');
}

function freeTextSentence(
  { freeTexts: { total, shown } }: AppliedRedaction,
  language: UserReportDocument['language'],
): string {
  return total === 0 ? '' : reportWords(language).redaction.freeTexts(shown, total);
}
