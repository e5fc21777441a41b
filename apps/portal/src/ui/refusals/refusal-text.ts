import type { ClientError } from '../../api/portal-error-of.ts';
import { hasMessage } from '../../i18n/language-store.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';

/**
 * The text of a refusal: what happened, and what to do next. Undefined if the code is sufficient,
 * if fields show the problem, or if the server is newer than this page.
 */
export function refusalText(
  { reason, facts }: Pick<ClientError, 'facts' | 'reason'>,
  t: Translate,
): string | undefined {
  if (reason === null || reason === undefined || reason === 'input-invalid') return undefined;
  const key: MessageKey = `refusal.${reason}`;
  const text = t(key, facts);
  return hasMessage(key) ? text : undefined;
}
