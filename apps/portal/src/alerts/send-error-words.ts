import type { Translate } from '../i18n/use-t.ts';

/** Why a message was not accepted: an HTTP status, or the code of a connection error. */
export function sendErrorWords(error: string, t: Translate): string {
  if (/^\d{3}$/.test(error)) return t('alerts.sendError.status', { status: error });
  if (error === 'INTERNAL_ADDRESS') return t('alerts.sendError.internal');
  return t('alerts.sendError.code', { code: error });
}
