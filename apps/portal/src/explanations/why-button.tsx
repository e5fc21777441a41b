import Popover from '@cloudscape-design/components/popover';
import type { ReactNode } from 'react';
import type { ExplainInput } from '@deviceportal/contract/explanations';
import { useT } from '../i18n/use-t.ts';
import { ReasonList } from './reason-list.tsx';

/** "Why?" beside a state in a table or an error: asked only when somebody wants to know. */
export function WhyButton({
  of,
  name,
}: {
  readonly of: ExplainInput;
  /** What it is about, for those who hear the button without seeing its row. */
  readonly name: string;
}): ReactNode {
  const t = useT();
  return (
    <Popover
      size="large"
      fixedWidth
      renderWithPortal
      triggerType="text"
      triggerAriaLabel={t('explanations.whyOf', { name })}
      header={t('explanations.why')}
      content={<ReasonList of={of} />}
    >
      {t('explanations.why')}
    </Popover>
  );
}
