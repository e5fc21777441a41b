import { computePasswordSecurityLevel } from '@deviceportal/identity-client';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { levelWords } from './level-words.ts';

/** The strength of the password by the provider’s three levels, as text and graphic. */
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
