import type { ReactNode } from 'react';
import type { ErrorSubject } from './error-texts.ts';

export interface WhyRefusedProps {
  readonly permission: string;
  readonly deviceId: string | null;
  readonly subject: ErrorSubject | undefined;
}

let render: (props: WhyRefusedProps) => ReactNode = () => null;

/** Explanations stand on errors, so errors learn of them from whoever starts the portal. */
export function setWhyRefused(shown: typeof render): void {
  render = shown;
}

export const whyRefused = (props: WhyRefusedProps): ReactNode => render(props);
