import type { CappedCount } from '@deviceportal/contract/pages';
import type { Translate } from '../i18n/use-t.ts';

/** "3 entries", or "999+ entries". */
export function countWords({ count, exact }: CappedCount, t: Translate): string {
  return t(exact ? 'cases.entries' : 'cases.entriesMore', { count });
}
