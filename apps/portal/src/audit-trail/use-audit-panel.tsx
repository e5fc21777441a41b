import Box from '@cloudscape-design/components/box';
import SplitPanel from '@cloudscape-design/components/split-panel';
import { useMemo, useState } from 'react';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useT } from '../i18n/use-t.ts';
import { useSplitPanel } from '../ui/page-slots.tsx';
import { AuditEventPanel } from './audit-event-panel.tsx';
import { useAuditWords } from './use-audit-words.ts';

export interface AuditPanelOptions {
  readonly selectedId: string;
  readonly events: readonly AuditEvent[] | undefined;
  readonly onSelect: (eventId: string) => void;
}

/** The selected event in the split panel. It stays when the list changes. */
export function useAuditPanel({
  selectedId,
  events,
  onSelect,
}: AuditPanelOptions): (event: AuditEvent) => void {
  const t = useT();
  const words = useAuditWords();
  const [opened, setOpened] = useState<AuditEvent>();
  const event = opened?.id === selectedId ? opened : events?.find(({ id }) => id === selectedId);
  const open = useMemo(
    () =>
      (chosen: AuditEvent): void => {
        setOpened(chosen);
        onSelect(chosen.id);
      },
    [onSelect],
  );
  const isLoading = events === undefined;
  const panel = useMemo(
    () => (
      <SplitPanel
        header={event === undefined ? t('auditTrail.detail.title') : words.type(event)}
        closeBehavior="hide"
      >
        {event === undefined ? (
          <Box color="text-body-secondary">
            {selectedId === ''
              ? t('auditTrail.detail.choose')
              : isLoading
                ? ' '
                : t('auditTrail.detail.gone')}
          </Box>
        ) : (
          <AuditEventPanel event={event} onOpen={open} />
        )}
      </SplitPanel>
    ),
    [event, selectedId, isLoading, open, t, words],
  );
  const firstId = events?.[0]?.id ?? '';
  const onToggle = useMemo(
    () => (isOpen: boolean) => onSelect(isOpen ? firstId : ''),
    [onSelect, firstId],
  );
  useSplitPanel({ panel, open: selectedId !== '', onToggle });
  return open;
}
