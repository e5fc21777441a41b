import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { personLabel } from '@deviceportal/contract/people';
import { CopyLinkButton } from '../devices/copy-link-button.tsx';
import { EvidenceMenu } from '../evidence/evidence-menu.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useServerNow } from '../ui/time/server-clock.ts';
import { StatusOf } from '../ui/status-of.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { askAboutCase } from './case-dialog-store.ts';
import { EditCaseDialog } from './edit-case-dialog.tsx';
import { useActiveCase } from './use-active-case.ts';
import { useCaseActs } from './use-case-acts.ts';

interface HeaderProps {
  readonly found: CaseDetail;
}

export function CaseHeader({ found }: HeaderProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const title = t('cases.bar.for', { name: personLabel(found.person) });
  return (
    <PageHeader
      title={title}
      documentTitle={`${title} · ${t('app.nav.cases')}`}
      description={<HeaderLine found={found} />}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <CopyLinkButton />
          <EvidenceMenu kind="case" id={found.id} isOwn={found.mine} />
          {may('cases:manage') ? (
            found.state === 'open' ? (
              <OpenActs found={found} />
            ) : (
              <ReopenButton id={found.id} />
            )
          ) : null}
        </SpaceBetween>
      }
    />
  );
}

function HeaderLine({ found }: HeaderProps): ReactNode {
  const format = useFormat();
  const nowMs = useServerNow();
  const endMs = found.closedAt === null ? nowMs : Date.parse(found.closedAt);
  const lasted = format.duration(Math.max(0, endMs - Date.parse(found.openedAt)));
  return (
    <span className="dp-case-line">
      {found.outcome === null ? (
        <StatusOf kind="case" value={found.state} />
      ) : (
        <StatusOf kind="caseOutcome" value={found.outcome} />
      )}
      {found.ticket === '' ? null : <span>{found.ticket}</span>}
      <span>{lasted}</span>
    </span>
  );
}

function OpenActs({ found }: HeaderProps): ReactNode {
  const t = useT();
  const active = useActiveCase();
  const showError = useErrorFlash();
  const { enter, leave } = useCaseActs();
  const [isEditing, setEditing] = useState(false);
  const isIn = active?.id === found.id;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setEditing(true)}>{t('cases.edit.action')}</Button>
      {isIn ? (
        <Button
          loading={leave.isPending}
          onClick={() => leave.mutate(undefined, { onError: showError })}
        >
          {t('cases.leave')}
        </Button>
      ) : (
        <Button
          variant="primary"
          loading={enter.isPending}
          onClick={() => enter.mutate({ id: found.id }, { onError: showError })}
        >
          {t('cases.enter')}
        </Button>
      )}
      <Button
        variant={isIn ? 'primary' : 'normal'}
        onClick={() =>
          askAboutCase({ kind: 'close', id: found.id, personName: personLabel(found.person) })
        }
      >
        {t('cases.close.short')}
      </Button>
      {isEditing ? <EditCaseDialog found={found} onClose={() => setEditing(false)} /> : null}
    </SpaceBetween>
  );
}

function ReopenButton({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const showError = useErrorFlash();
  const { reopen } = useCaseActs();
  return (
    <Button
      loading={reopen.isPending}
      onClick={() => reopen.mutate({ id }, { onError: showError })}
    >
      {t('cases.reopen')}
    </Button>
  );
}
