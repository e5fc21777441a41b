import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { Explanations, useExplanations, type ExplainedProps } from './reason-list.tsx';

export interface WhyPanelProps extends ExplainedProps {
  readonly type?: 'info' | 'warning' | 'error';
}

/** "Why?" answered in its place on a page. Nothing where nothing stands in the way, and while that is not known. */
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
