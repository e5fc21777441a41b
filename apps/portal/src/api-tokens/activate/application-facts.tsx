import type { ReactNode } from 'react';
import type { WaitingApplication } from '@deviceportal/contract/device-grant';
import { useT } from '../../i18n/use-t.ts';
import { KeyValue } from '../../ui/key-value.tsx';
import { Time } from '../../ui/time/time.tsx';

/** What is known of an application that waits. */
export function ApplicationFacts({
  application: { clientId, address, requestedAt, expiresAt },
}: {
  readonly application: WaitingApplication;
}): ReactNode {
  const t = useT();
  return (
    <KeyValue
      columns={4}
      items={[
        { label: t('apiTokens.activate.application'), value: clientId },
        {
          label: t('apiTokens.activate.address'),
          value: <span className="dp-id">{address}</span>,
        },
        {
          label: t('apiTokens.activate.requestedAt'),
          value: <Time at={requestedAt} style="exact" />,
        },
        { label: t('apiTokens.activate.expiresAt'), value: <Time at={expiresAt} style="exact" /> },
      ]}
    />
  );
}
