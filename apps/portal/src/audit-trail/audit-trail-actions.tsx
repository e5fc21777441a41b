import { copyText } from '../ui/copy-text.ts';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { AuditEvent, AuditExport, AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { AuditExportDialog } from './audit-export-dialog.tsx';
import { describeAuditEvents } from './describe-audit-event.ts';
import { useAuditWords } from './use-audit-words.ts';

export interface AuditTrailActionsProps {
  readonly filter: AuditFilter;
  readonly events: readonly AuditEvent[];
  readonly live: boolean;
  readonly canBeLive: boolean;
  /** Whether the verification panel is open. */
  readonly checking: boolean;
  readonly onCheck: (isOpen: boolean) => void;
  readonly onLive: (live: boolean) => void;
  readonly onRefresh: () => void;
}

const AuditCheckDialog = lazy(() =>
  import('./proof/audit-check-dialog.tsx').then((module) => ({ default: module.AuditCheckDialog })),
);

const WORKING = 'audit-export';

/** Live updates, refresh, and the export of the filtered events. */
export function AuditTrailActions(props: AuditTrailActionsProps): ReactNode {
  const { filter, events, live, canBeLive, checking, onCheck, onLive, onRefresh } = props;
  const t = useT();
  const { may } = useViewer();
  const [made, setMade] = useState<AuditExport>();
  const exporting = useAuditExport(setMade);
  const copy = useCopyPage(events);
  const needed = t('app.needsPermission', { permission: 'audit-trail:export' });
  const exportItem = (format: 'csv' | 'json') => ({
    id: format,
    text: t(`auditTrail.export.${format}`),
    disabled: !may('audit-trail:export'),
    ...(may('audit-trail:export') ? {} : { disabledReason: needed }),
  });
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <Toggle
        checked={live && canBeLive}
        disabled={!canBeLive}
        onChange={({ detail }) => onLive(detail.checked)}
      >
        {t('auditTrail.live.toggle')}
      </Toggle>
      <Button iconName="refresh" ariaLabel={t('auditTrail.page.refresh')} onClick={onRefresh} />
      <ButtonDropdown
        loading={exporting.isPending}
        items={[
          exportItem('csv'),
          exportItem('json'),
          { id: 'copy', text: t('auditTrail.export.copy'), disabled: events.length === 0 },
          { id: 'check', text: t('auditTrail.export.check') },
        ]}
        onItemClick={({ detail: { id } }) => {
          if (id === 'copy') copy();
          else if (id === 'check') onCheck(true);
          else exporting.mutate({ filter, format: id === 'json' ? 'json' : 'csv' });
        }}
      >
        {t('auditTrail.export.menu')}
      </ButtonDropdown>
      {made === undefined ? null : (
        <AuditExportDialog made={made} onClose={() => setMade(undefined)} />
      )}
      {checking ? (
        <Suspense fallback={null}>
          <AuditCheckDialog range={filter.range} onClose={() => onCheck(false)} />
        </Suspense>
      ) : null}
    </SpaceBetween>
  );
}

function useAuditExport(onMade: (made: AuditExport) => void) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const showError = useErrorFlash();
  return useMutation(
    api.auditTrail.export.mutationOptions({
      onMutate: () => {
        flash.add({
          id: WORKING,
          type: 'in-progress',
          header: t('auditTrail.export.working'),
          content: t('auditTrail.export.workingBody'),
          dismissible: false,
        });
      },
      onSettled: () => flash.remove(WORKING),
      onSuccess: onMade,
      onError: showError,
    }),
  );
}

function useCopyPage(events: readonly AuditEvent[]): () => void {
  const t = useT();
  const words = useAuditWords();
  return () => {
    copyText(describeAuditEvents(events, words.sentence, location.href), t);
  };
}
