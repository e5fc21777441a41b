import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useT } from '../../i18n/use-t.ts';
import { DiffView } from './diff-view.tsx';

type Compared = Pick<DocumentVersionDetail, 'version' | 'content' | 'phasesText'>;

/** The diffs of two versions. The diff of the additional steps is shown only if they differ. */
export function VersionDiff({
  before,
  after,
}: {
  readonly before: Compared;
  readonly after: Compared;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="s">
      <DiffView before={before} after={after} />
      {before.phasesText === after.phasesText ? null : (
        <DiffView
          title={t('documents.phases.diff', { before: before.version, after: after.version })}
          before={{ version: before.version, content: before.phasesText }}
          after={{ version: after.version, content: after.phasesText }}
        />
      )}
    </SpaceBetween>
  );
}
