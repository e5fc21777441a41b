import Popover from '@cloudscape-design/components/popover';
import type { ReactNode } from 'react';
import type { ExplainInput } from '@deviceportal/contract/explanations';
import { useT } from '../i18n/use-t.ts';
import { ReasonList } from './reason-list.tsx';

/** "Why?" next to a state in a table or an error. Loads the reasons when opened. */
export function WhyButton({
  of,
  name,
}: {
  readonly of: ExplainInput;
  /** The object, for screen reader users, who hear the button without its row. */
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
