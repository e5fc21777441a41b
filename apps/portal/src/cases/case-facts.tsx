import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import type { CaseDetail, CaseWorker } from '@deviceportal/contract/cases';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { assigneeName } from './assignment/assignee-name.ts';
import { AssignCaseDialog } from './assignment/assign-case-dialog.tsx';
import { DueTime } from './assignment/due-time.tsx';
import { CaseTicketOf } from '../tickets/case-ticket.tsx';
import { useCaseActs } from './use-case-acts.ts';

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
          { label: t('cases.assignee'), value: <AssigneeOf found={found} /> },
          {
            label: t('cases.priority'),
            value: <StatusOf kind="casePriority" value={found.priority} />,
          },
          { label: t('cases.queue'), value: found.queue },
          {
            label: t('cases.due'),
            value: found.dueAt === null ? null : <DueTime of={found} style="absolute" />,
          },
          { label: t('cases.about'), value: found.about },
          { label: t('cases.ticket'), value: <CaseTicketOf found={found} /> },
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

/** The assignee, with what the viewer can change about it while the case is open. */
function AssigneeOf({ found }: { readonly found: CaseDetail }): ReactNode {
  const t = useT();
  const { may, detail } = useViewer();
  const showError = useErrorFlash();
  const { assign } = useCaseActs();
  const [isAssigning, setAssigning] = useState(false);
  const { id, assignee, state } = found;
  const name = assigneeName(found, t);
  if (state !== 'open' || !may('cases:manage')) return name;
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <span>{name}</span>
      {assignee?.id === detail.userId ? null : (
        <Button
          variant="inline-link"
          loading={assign.isPending}
          onClick={() => assign.mutate({ id, assigneeId: detail.userId }, { onError: showError })}
        >
          {t('cases.assign.me')}
        </Button>
      )}
      <Button variant="inline-link" onClick={() => setAssigning(true)}>
        {t('cases.assign.action')}
      </Button>
      {isAssigning ? <AssignCaseDialog found={found} onClose={() => setAssigning(false)} /> : null}
    </SpaceBetween>
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
