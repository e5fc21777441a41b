import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import type { ImportDetail } from '@deviceportal/contract/imports';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { ImportDialogs, type ImportAct } from './import-dialogs.tsx';
import { ImportStateOf } from './import-state.tsx';

/** State, time limits, and actions of an import. */
export function ImportHeader({ detail }: { readonly detail: ImportDetail }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const [act, setAct] = useState<ImportAct>();
  const { id, kind, fileName, confirmedAt } = detail;
  return (
    <SpaceBetween size="s">
      <PageHeader
        title={fileName}
        documentTitle={`${fileName} · ${t('imports.title')}`}
        description={
          <SpaceBetween direction="horizontal" size="s">
            <ImportStateOf state={detail.state} />
            <span>{t('imports.one', { kind })}</span>
            <Limit detail={detail} />
            {confirmedAt !== null && may('audit-trail:read') ? (
              <PortalLink href={`/audit-trail/device?ref=${id}`}>{t('imports.audit')}</PortalLink>
            ) : null}
          </SpaceBetween>
        }
        actions={<Actions detail={detail} onAct={setAct} />}
      />
      <ImportDialogs act={act} detail={detail} onClose={() => setAct(undefined)} />
    </SpaceBetween>
  );
}

function Limit({
  detail: { state, canUndo, keptUntil },
}: {
  readonly detail: ImportDetail;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const time = format.absolute(Date.parse(keptUntil));
  if (canUndo) return <span>{t('imports.undo.until', { time })}</span>;
  return state === 'ready' ? <span>{t('imports.kept.until', { time })}</span> : null;
}

function Actions({
  detail: { state, kind, counts, canUndo, hasClaim },
  onAct,
}: {
  readonly detail: ImportDetail;
  readonly onAct: (act: ImportAct) => void;
}): ReactNode {
  const t = useT();
  const changes = counts.new + counts.changed;
  const isOpen = state === 'uploading' || state === 'checking' || state === 'ready';
  const offersClaim = state === 'applied' && kind === 'devices' && counts.new > 0 && !hasClaim;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {isOpen ? <Button onClick={() => onAct('discard')}>{t('imports.discard')}</Button> : null}
      {canUndo ? <Button onClick={() => onAct('undo')}>{t('imports.undo')}</Button> : null}
      {offersClaim ? (
        <Button variant="primary" onClick={() => onAct('claim')}>
          {t('imports.claim')}
        </Button>
      ) : null}
      {state === 'ready' && changes > 0 ? (
        <Button variant="primary" onClick={() => onAct('confirm')}>
          {t('imports.confirm', { count: changes })}
        </Button>
      ) : null}
    </SpaceBetween>
  );
}
