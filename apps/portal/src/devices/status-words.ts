import { disconnectReasonWords } from '@deviceportal/contract/disconnect-reason-words';
import { selfCheckFactWords } from '@deviceportal/contract/self-check-words';
import type { Language } from '../i18n/languages.ts';
import type { Translate } from '../i18n/use-t.ts';
import { isFailingPart } from './list/filter/device-filter-keys.ts';
import type { DeviceStatusFacts } from './patch-device-rows.ts';

/** The reason for a status other than online. Empty without a reason. */
export function statusReason(
  status: Pick<DeviceStatusFacts, 'connectivity' | 'disconnectReason' | 'failing'>,
  { t, language }: { readonly t: Translate; readonly language: Language },
): string {
  if (status.connectivity === 'degraded') {
    return status.failing
      .map(({ part, fact }) =>
        t('devices.partFact', {
          part: failingPartWord(part, t),
          fact: selfCheckFactWords(fact, language),
        }),
      )
      .join(t('devices.partSeparator'));
  }
  if (status.connectivity !== 'offline' || status.disconnectReason === null) return '';
  return disconnectReasonWords(status.disconnectReason, language);
}

export function failingPartWord(part: string, t: Translate): string {
  return isFailingPart(part) ? t(`devices.part.${part}`) : part;
}
