import type { Verdict } from '@deviceportal/contract/devices';

const severities: readonly Verdict['severity'][] = ['error', 'warning', 'info', 'success'];
const offlineCodes: readonly Verdict['code'][] = ['offline', 'unusual-silence'];

/** Sort order of verdicts: that the device is offline comes first, as it limits every remedy; then by severity. */
export function byUrgency(one: Verdict, other: Verdict): number {
  const rank = ({ code, severity }: Verdict): number =>
    offlineCodes.includes(code) ? -1 : severities.indexOf(severity);
  return rank(one) - rank(other);
}
