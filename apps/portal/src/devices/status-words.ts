import type { Translate } from '../i18n/use-t.ts';
import { isFailingPart } from './list/filter/device-filter-keys.ts';
import type { DeviceStatusFacts } from './patch-device-rows.ts';
import { selfCheckFactWords } from './self-check-words.ts';

/** Why a device is not simply online; empty where there is nothing to say. */
export function statusReason(
  status: Pick<DeviceStatusFacts, 'connectivity' | 'disconnectReason' | 'failing'>,
  t: Translate,
): string {
  if (status.connectivity === 'degraded') {
    return status.failing
      .map(({ part, fact }) =>
        t('devices.partFact', {
          part: failingPartWord(part, t),
          fact: selfCheckFactWords(fact, t),
        }),
      )
      .join(t('devices.partSeparator'));
  }
  if (status.connectivity !== 'offline' || status.disconnectReason === null) return '';
  return disconnectReasonWords(status.disconnectReason, t);
}

export function failingPartWord(part: string, t: Translate): string {
  return isFailingPart(part) ? t(`devices.part.${part}`) : part;
}

const reasons = [
  'shutdown',
  'connection-lost',
  'upgrade',
  'timeout',
  'suspended',
  'retired',
] as const;

/** The reason in words; what an agent of another release says stands as it came. */
export function disconnectReasonWords(reason: string, t: Translate): string {
  const known = reasons.find((each) => each === reason);
  return known === undefined ? reason : t(`devices.reason.${known}`);
}
