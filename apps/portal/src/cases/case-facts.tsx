import Badge from '@cloudscape-design/components/badge';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { CaseDetail, CaseWorker } from '@deviceportal/contract/cases';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';

/** The person, subject, and users of a case. */
export function CaseFacts({ found }: { readonly found: CaseDetail }): ReactNode {
  const t = useT();
  const { person, closedAt } = found;
  const end = [
    {
      label: t('cases.closed'),
      value: (
        <>
          <Time at={closedAt} style="absolute" /> · {found.closedBy}
        </>
      ),
    },
    {
      label: t('cases.close.words'),
      value: found.outcomeText && <div className="dp-note">{found.outcomeText}</div>,
    },
  ];
  return (
    <Container header={<Header variant="h2">{t('cases.facts')}</Header>}>
      <KeyValue
        columns={1}
        items={[
          {
            label: t('cases.person'),
            value: <PortalLink href={`/people/${person.id}`}>{person.name}</PortalLink>,
          },
          { label: t('cases.about'), value: found.about },
          { label: t('cases.ticket'), value: found.ticket },
          {
            label: t('cases.openedAt'),
            value: (
              <>
                <Time at={found.openedAt} style="absolute" /> · {found.openedBy}
              </>
            ),
          },
          { label: t('cases.workers'), value: <Workers workers={found.workers} /> },
          ...(closedAt === null ? [] : end),
        ]}
      />
    </Container>
  );
}

function Workers({ workers }: { readonly workers: readonly CaseWorker[] }): ReactNode {
  const t = useT();
  return (
    <ul className="dp-case-workers">
      {workers.map(({ userId, name, isIn }) => (
        <li key={userId}>
          {name} {isIn ? <Badge color="green">{t('cases.isIn')}</Badge> : null}
        </li>
      ))}
    </ul>
  );
}
