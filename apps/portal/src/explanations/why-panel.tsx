import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { Explanations, useExplanations, type ExplainedProps } from './reason-list.tsx';

export interface WhyPanelProps extends ExplainedProps {
  readonly type?: 'info' | 'warning' | 'error';
}

/**
 * The reasons for an object, inline on a page. Renders nothing without reasons or before they are
 * loaded.
 */
export function WhyPanel({ type = 'info', ...props }: WhyPanelProps): ReactNode {
  const t = useT();
  const { data } = useExplanations(props);
  if (data === undefined || data.every(({ reasons }) => reasons.length === 0)) return null;
  return (
    <Alert type={type} header={t('explanations.why')}>
      <Explanations explanations={data} />
    </Alert>
  );
}
