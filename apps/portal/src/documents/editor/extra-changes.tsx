import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

type Beside = Pick<DocumentVersionDetail, 'consequence' | 'secretParameters'>;

/** Changes of the consequence and of the secret parameters. */
export function ExtraChanges({
  before,
  after,
}: {
  readonly before: Beside;
  readonly after: Beside;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const lines: string[] = [];
  if (before.consequence !== after.consequence) {
    lines.push(
      t('documents.review.consequenceChanged', {
        before: t(`commands.consequence.${before.consequence}`),
        after: t(`commands.consequence.${after.consequence}`),
      }),
    );
  }
  const added = after.secretParameters.filter((name) => !before.secretParameters.includes(name));
  const removed = before.secretParameters.filter((name) => !after.secretParameters.includes(name));
  if (added.length > 0) {
    lines.push(t('documents.review.secretsAdded', { names: format.list(added) }));
  }
  if (removed.length > 0) {
    lines.push(t('documents.review.secretsRemoved', { names: format.list(removed) }));
  }
  if (lines.length === 0) return null;
  return (
    <Alert type="warning" header={t('documents.review.besideChanged')}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  );
}
