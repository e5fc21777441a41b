import Button from '@cloudscape-design/components/button';
import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode, Ref } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { CappedCount } from '@deviceportal/contract/pages';
import { useFormat } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { RunCommandMenu } from '../run-command-menu.tsx';
import type { DeviceFilterSearch } from './filter/device-filter.ts';

export interface DeviceListHeaderProps {
  readonly count: CappedCount | undefined;
  readonly selected: readonly DeviceRow[];
  /** Set while all devices that match the filter are selected. */
  readonly allMatching: DeviceFilterSearch | undefined;
  /** The filter of the list. */
  readonly filter: DeviceFilterSearch;
  readonly updated: ReactNode;
  readonly exporting: boolean;
  readonly menuRef: Ref<ButtonDropdownProps.Ref>;
  readonly onAction: (action: ListAction) => void;
}

/** Maximum devices in a comparison that stays readable. */
export const MOST_COMPARED = 4;

export type ListAction = 'add' | 'targets' | 'export' | 'panel' | 'compare' | 'all' | 'none';

export function DeviceListHeader(props: DeviceListHeaderProps): ReactNode {
  const { count, selected, allMatching, filter, updated, exporting, menuRef, onAction } = props;
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const total = count === undefined ? '' : `${format.number(count.count)}${count.exact ? '' : '+'}`;
  const chosen = allMatching === undefined ? format.number(selected.length) : total;
  const counter = selected.length === 0 ? total : `${chosen}/${total}`;
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
              allMatching === undefined
                ? { id: 'all', text: t('devices.selection.selectAll', { matches: total }) }
                : { id: 'none', text: t('devices.selection.clear') },
              { id: 'panel', text: t('devices.list.summary') },
              compareItem(selected, allMatching !== undefined, t),
              { id: 'targets', text: t('devices.targets.title') },
              { id: 'export', text: t('devices.export.action') },
              ...(mayManage ? [{ id: 'import', text: t('devices.list.import') }] : []),
              ...(may('alerts:manage')
                ? [{ id: 'alert', text: t('devices.list.createAlertRule') }]
                : []),
              ...(may('air-blast:run') && (selected.length > 0 || allMatching !== undefined)
                ? [{ id: 'air-blast', text: t('app.nav.airBlast') }]
                : []),
            ]}
            onItemClick={({ detail }) => {
              if (detail.id === 'air-blast') planAirBlast(selected, allMatching);
              else if (detail.id === 'alert') createAlertRule(filter);
              else if (detail.id === 'import') navigateTo('/imports');
              else onAction(detail.id as ListAction);
            }}
          >
            {t('devices.list.actions')}
          </ButtonDropdown>
          <RunCommandMenu
            menuRef={menuRef}
            targets={selected}
            allMatching={allMatching}
            label={
              allMatching === undefined
                ? t('devices.command.runOn', { count: selected.length })
                : t('devices.command.runOnAll', { matches: total })
            }
          />
          <Button
            variant="primary"
            disabled={!mayManage}
            {...(mayManage
              ? {}
              : { disabledReason: t('app.needsPermission', { permission: 'devices:manage' }) })}
            onClick={() => onAction('add')}
          >
            {t('devices.add.title')}
          </Button>
        </SpaceBetween>
      }
    />
  );
}

function createAlertRule(filter: DeviceFilterSearch): void {
  navigateTo(`/alerts?${new URLSearchParams({ create: 'true', ...filter }).toString()}`);
}

function planAirBlast(
  selected: readonly DeviceRow[],
  allMatching: DeviceFilterSearch | undefined,
): void {
  const devices = selected.map(({ id }) => id).join(',');
  const known = allMatching === undefined ? { devices } : { ...allMatching, all: '1' };
  navigateTo(`/air-blast?${new URLSearchParams({ plan: '1', ...known }).toString()}`);
}

function compareItem(
  selected: readonly DeviceRow[],
  isAll: boolean,
  t: Translate,
): ButtonDropdownProps.Item {
  const fits = !isAll && selected.length >= 2 && selected.length <= MOST_COMPARED;
  return {
    id: 'compare',
    text: t('devices.compare.action'),
    ...(fits ? {} : { disabled: true, disabledReason: t('devices.compare.hint') }),
  };
}
