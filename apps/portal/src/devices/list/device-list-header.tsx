import Button from '@cloudscape-design/components/button';
import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode, Ref } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { CappedCount } from '@deviceportal/contract/pages';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useViewer } from '../../shell/viewer-context.tsx';
import { RunCommandMenu } from '../run-command-menu.tsx';

export interface DeviceListHeaderProps {
  readonly count: CappedCount | undefined;
  readonly selected: readonly DeviceRow[];
  readonly updated: ReactNode;
  readonly exporting: boolean;
  readonly menuRef: Ref<ButtonDropdownProps.Ref>;
  readonly onAction: (action: ListAction) => void;
}

export type ListAction = 'add' | 'targets' | 'export' | 'panel';

export function DeviceListHeader(props: DeviceListHeaderProps): ReactNode {
  const { count, selected, updated, exporting, menuRef, onAction } = props;
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const total = count === undefined ? '' : `${format.number(count.count)}${count.exact ? '' : '+'}`;
  const counter = selected.length === 0 ? total : `${selected.length}/${total}`;
  const mayManage = may('devices:manage');
  return (
    <PageHeader
      variant="awsui-h1-sticky"
      title={t('devices.list.title')}
      counter={total === '' ? undefined : `(${counter})`}
      description={updated}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <ButtonDropdown
            expandToViewport
            loading={exporting}
            items={[
              { id: 'panel', text: t('devices.list.summary') },
              { id: 'targets', text: t('devices.targets.title') },
              { id: 'export', text: t('devices.export.action') },
            ]}
            onItemClick={({ detail }) => onAction(detail.id as ListAction)}
          >
            {t('devices.list.actions')}
          </ButtonDropdown>
          <RunCommandMenu
            menuRef={menuRef}
            targets={selected}
            label={t('devices.command.runOn', { count: selected.length })}
          />
          <Button
            variant="primary"
            disabled={!mayManage}
            {...(mayManage
              ? {}
              : { disabledReason: t('shell.needsPermission', { permission: 'devices:manage' }) })}
            onClick={() => onAction('add')}
          >
            {t('devices.add.title')}
          </Button>
        </SpaceBetween>
      }
    />
  );
}
