import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';

/** The documents that a rollout sends, each in one version with its digest. */
export function PlanDocuments({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  if (run.documents.length === 0) return null;
  return (
    <KeyValue
      columns={2}
      hasLongValues
      items={run.documents.map(({ use, name, version, sha256 }) => ({
        label: t(`airBlast.documentUse.${use}`),
        value: (
          <>
            <PortalLink href={`/documents/${encodeURIComponent(name)}?v=${version}`}>
              {name}:{version}
            </PortalLink>
            <Box fontSize="body-s" color="text-body-secondary">
              <CopyableId value={sha256} name={t('airBlast.documentDigest')} />
            </Box>
          </>
        ),
      }))}
    />
  );
}
