import { releaseNotes } from '@deviceportal/contract/release-notes';
import type { Translate } from '../i18n/use-t.ts';

/** The note of a version. Notes of a release are translated, those of users are shown as written. */
export function versionNote(note: string, t: Translate): string {
  if (note === releaseNotes.included) return t('documents.releaseNote.included');
  if (note === releaseNotes.changed) return t('documents.releaseNote.changed');
  return note;
}
