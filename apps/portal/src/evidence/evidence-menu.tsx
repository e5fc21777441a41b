import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EvidenceFile, EvidenceKind } from '@deviceportal/contract/evidence';
import { useApiClient } from '../api/use-api.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { downloadFrom } from '../ui/download-from.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

export interface EvidenceMenuProps {
  readonly kind: EvidenceKind;
  readonly id: string;
  /** Whether the viewer did it, and may export its proof without `audit-trail:export`. */
  readonly isOwn: boolean;
}

type Format = 'report' | 'proof';

/** Downloads the report (PDF) or the proof (zip) of a result, a run, a case, or a rollout. */
export function EvidenceMenu({ kind, id, isOwn }: EvidenceMenuProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const showError = useErrorFlash();
  const create = useCreateEvidence(kind, id);
  const evidence = useMutation({
    mutationFn: (format: Format) => create[format](),
    onError: showError,
    onSuccess: ({ downloadUrl, fileName }) => downloadFrom(downloadUrl, fileName),
  });
  const mayProve = may('audit-trail:export') || (isOwn && may('audit-trail:read'));
  const needed = t('app.needsPermission', { permission: 'audit-trail:export' });
  return (
    <ButtonDropdown
      loading={evidence.isPending}
      items={[
        { id: 'report', text: t('reports.evidence.report'), iconName: 'file' },
        {
          id: 'proof',
          text: t('reports.evidence.proof'),
          secondaryText: t('reports.evidence.proofContent'),
          iconName: 'folder',
          disabled: !mayProve,
          ...(mayProve ? {} : { disabledReason: needed }),
        },
      ]}
      onItemClick={({ detail }) => evidence.mutate(detail.id === 'proof' ? 'proof' : 'report')}
    >
      {t('reports.evidence.menu')}
    </ButtonDropdown>
  );
}

function useCreateEvidence(
  kind: EvidenceKind,
  id: string,
): Readonly<Record<Format, () => Promise<EvidenceFile>>> {
  const { evidence } = useApiClient();
  const language = useLanguage();
  const reports = {
    invocation: evidence.reportInvocation,
    run: evidence.reportRun,
    case: evidence.reportCase,
    'air-blast': evidence.reportAirBlast,
  } as const;
  return {
    report: () => reports[kind].mutate({ id, language }),
    proof: () => evidence.proof.mutate({ kind, id, language }),
  };
}
