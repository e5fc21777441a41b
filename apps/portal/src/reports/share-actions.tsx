import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

export interface ShareActionsProps {
  readonly isShared: boolean;
  readonly disabled: boolean;
  readonly loading: boolean;
  readonly onShare: () => void;
  readonly onClose: () => void;
}

/** Creates the link, or closes the dialog after it is created. */
export function ShareActions(props: ShareActionsProps): ReactNode {
  const { isShared, disabled, loading, onShare, onClose } = props;
  const t = useT();
  return (
    <Box float="right">
      <SpaceBetween direction="horizontal" size="xs">
        <Button variant="link" onClick={onClose}>
          {t(isShared ? 'reports.share.close' : 'reports.share.cancel')}
        </Button>
        {isShared ? null : (
          <Button variant="primary" disabled={disabled} loading={loading} onClick={onShare}>
            {t('reports.share.make')}
          </Button>
        )}
      </SpaceBetween>
    </Box>
  );
}
