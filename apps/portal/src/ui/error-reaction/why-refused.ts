import type { ReactNode } from 'react';
import type { ErrorSubject } from './error-texts.ts';

export interface WhyRefusedProps {
  readonly permission: string;
  readonly deviceId: string | null;
  readonly subject: ErrorSubject | undefined;
}

let render: (props: WhyRefusedProps) => ReactNode = () => null;

/**
 * Registers the explanation component, because errors cannot import the explanations that contain
 * errors.
 */
export function setWhyRefused(shown: typeof render): void {
  render = shown;
}

export const whyRefused = (props: WhyRefusedProps): ReactNode => render(props);
