import type { ReactNode } from 'react';
import type { WhyRefusedProps } from '../ui/error-reaction/why-refused.ts';
import { WhyButton } from './why-button.tsx';

/** Which roles hold what is missing, and for which devices one holds it oneself. */
export function WhyRefused({ permission, deviceId, subject }: WhyRefusedProps): ReactNode {
  return (
    <WhyButton
      of={{ kind: 'permission', permission, deviceId }}
      name={subject?.kind ?? permission}
    />
  );
}
