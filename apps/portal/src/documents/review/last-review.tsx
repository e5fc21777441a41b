import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { DocumentVersionRow } from '@deviceportal/contract/documents';
import { useT } from '../../i18n/use-t.ts';
import { Time } from '../../ui/time/time.tsx';

/** The last review of a version: reviewer, decision, time, and reason. */
export function LastReview({ version }: { readonly version: DocumentVersionRow }): ReactNode {
  const t = useT();
  const { review } = version;
  if (review === null) return '-';
  const { by, comment } = review;
  return (
    <>
      <div>
        {t(`documents.review.${review.decision}By`, { by })} · <Time at={review.at} />
      </div>
      {comment === '' ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          {t('documents.review.quote', { comment })}
        </Box>
      )}
    </>
  );
}
