import type { ReactNode } from 'react';
import type { WhyRefusedProps } from '../ui/error-reaction/why-refused.ts';
import { WhyButton } from './why-button.tsx';

/** The roles that grant the missing permission, and the devices for which the viewer has it. */
export function WhyRefused({ permission, deviceId, subject }: WhyRefusedProps): ReactNode {
  return (
    <WhyButton
      of={{ kind: 'permission', permission, deviceId }}
      name={subject?.kind ?? permission}
    />
  );
}
