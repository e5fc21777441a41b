import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { copyText } from '../../ui/copy-text.ts';

export interface ResultActionsProps {
  readonly onCancel?: (() => void) | undefined;
  readonly cancelling: boolean;
  readonly onAgain: () => void;
  readonly againBusy: boolean;
  readonly againDisabledReason: string | undefined;
  readonly onEdit: () => void;
  readonly onOtherDevice?: (() => void) | undefined;
  readonly textToCopy: () => string;
  /** Additional actions for this result. */
  readonly children?: ReactNode;
}

/** Actions on a result. */
export function ResultActions(props: ResultActionsProps): ReactNode {
  const { onCancel, onOtherDevice, againDisabledReason } = props;
  const t = useT();
  const copy = useCopy();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {onCancel === undefined ? null : (
        <Button onClick={onCancel} loading={props.cancelling}>
          {t('commands.result.cancel')}
        </Button>
      )}
      {props.children}
      <Button
        onClick={props.onAgain}
        loading={props.againBusy}
        disabled={againDisabledReason !== undefined}
        {...(againDisabledReason === undefined ? {} : { disabledReason: againDisabledReason })}
      >
        {t('commands.result.again')}
      </Button>
      <Button iconName="copy" onClick={() => copy(props.textToCopy())}>
        {t('commands.result.copyText')}
      </Button>
      <ButtonDropdown
        items={[
          { id: 'edit', text: t('commands.result.edit') },
          ...(onOtherDevice === undefined
            ? []
            : [{ id: 'other', text: t('commands.result.otherDevice') }]),
          { id: 'link', text: t('commands.result.copyLink') },
        ]}
        onItemClick={({ detail }) => {
          if (detail.id === 'edit') props.onEdit();
          if (detail.id === 'other') onOtherDevice?.();
          if (detail.id === 'link') copy(location.href);
        }}
      >
        {t('commands.result.more')}
      </ButtonDropdown>
    </SpaceBetween>
  );
}

function useCopy(): (text: string) => void {
  const t = useT();
  return (text) => {
    copyText(text, t);
  };
}
