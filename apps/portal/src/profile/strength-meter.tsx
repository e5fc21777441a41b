import { computePasswordSecurityLevel } from '@deviceportal/identity-client';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { levelWords } from './level-words.ts';

/** How hard the password is to guess, by the provider's own three levels; said as well as shown. */
export function StrengthMeter({ password }: { readonly password: string }): ReactNode {
  const t = useT();
  const level = password === '' ? undefined : computePasswordSecurityLevel(password);
  return (
    <div className="dp-strength">
      <meter
        aria-label={t('profile.strength.label')}
        min={0}
        max={3}
        low={2}
        high={3}
        optimum={3}
        value={level ?? 0}
      />
      <output>{level === undefined ? t('profile.strength.none') : t(levelWords[level])}</output>
    </div>
  );
}
