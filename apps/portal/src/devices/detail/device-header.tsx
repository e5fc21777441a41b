import Button from '@cloudscape-design/components/button';
import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, lazy, useRef, useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { OpenCaseButton } from '../../cases/open-case-button.tsx';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { OtherViewers } from '../../presence/other-viewers.tsx';
import { CopyButton } from './copy-button.tsx';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { OpenTerminalButton } from '../../terminals/open-terminal-button.tsx';
import { OpenWebPageButton } from '../../web-pages/open-web-page-button.tsx';
import { DeviceStatusView } from '../device-status.tsx';
import { CopyLinkButton } from '../copy-link-button.tsx';
import { useRowKeys } from '../list/use-row-keys.ts';
import { RunCommandMenu } from '../run-command-menu.tsx';
import { DeviceNeighbors } from './device-neighbors.tsx';
import { LifecycleDialog, type LifecycleAct } from './lifecycle-dialog.tsx';

const EditDeviceDialog = lazy(() =>
  import('./edit-device-dialog.tsx').then((module) => ({ default: module.EditDeviceDialog })),
);
const ReEnrollDialog = lazy(() =>
  import('./re-enroll-dialog.tsx').then((module) => ({ default: module.ReEnrollDialog })),
);

type Asked = LifecycleAct | 'edit' | 're-enroll';

interface HeaderProps {
  readonly device: DeviceDetail;
}

/** The name, status, and actions of a device. */
export function DeviceHeader({ device }: HeaderProps): ReactNode {
  const t = useT();
  const [asked, setAsked] = useState<Asked | null>(null);
  const menu = useRef<ButtonDropdownProps.Ref>(null);
  useRowKeys({
    onCommand: () => menu.current?.focus(),
    onTogglePanel: () => undefined,
    onMove: () => undefined,
  });
  const close = (): void => setAsked(null);
  return (
    <>
      <PageHeader
        title={device.serialNumber ?? device.name}
        documentTitle={`${device.serialNumber ?? device.name} · ${t('devices.list.title')}`}
        info={<CopySerialNumber device={device} />}
        description={<HeaderLine device={device} />}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <DeviceNeighbors deviceId={device.id} />
            <CopyLinkButton />
            <AirBlastButton device={device} />
            {device.owner === null ? null : <OpenCaseButton person={device.owner} />}
            <OpenTerminalButton device={device} />
            <OpenWebPageButton device={device} />
            <ManageMenu device={device} onAct={setAsked} />
            <RunCommandMenu
              targets={[device]}
              label={t('devices.command.run')}
              variant="primary"
              menuRef={menu}
            />
          </SpaceBetween>
        }
      />
      <Suspense>
        {asked === 'edit' ? <EditDeviceDialog device={device} onClose={close} /> : null}
        {asked === 're-enroll' ? <ReEnrollDialog device={device} onClose={close} /> : null}
      </Suspense>
      {asked === null || asked === 'edit' || asked === 're-enroll' ? null : (
        <LifecycleDialog act={asked} device={device} onClose={close} />
      )}
    </>
  );
}

function CopySerialNumber({ device: { serialNumber, name } }: HeaderProps): ReactNode {
  const t = useT();
  return serialNumber === null ? (
    <CopyButton value={name} name={t('devices.column.name')} />
  ) : (
    <CopyButton value={serialNumber} name={t('devices.column.serialNumber')} />
  );
}

/** Plans an AirBlast rollout for this device. */
function AirBlastButton({ device }: HeaderProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('air-blast:run')) return null;
  return (
    <Button onClick={() => navigateTo(`/air-blast?plan=1&devices=${device.id}`)}>
      {t('app.nav.airBlast')}
    </Button>
  );
}

function HeaderLine({ device }: HeaderProps): ReactNode {
  const t = useT();
  return (
    <span className="dp-device-line">
      <DeviceStatusView status={device} />
      {device.serialNumber === null ? null : <span>{device.name}</span>}
      <span>
        {t('devices.header.lastSeen')}{' '}
        <Time at={device.lastSeenAt} none={t('devices.header.never')} />
      </span>
      <OtherViewers deviceId={device.id} />
    </span>
  );
}

interface ManageProps extends HeaderProps {
  readonly onAct: (act: Asked) => void;
}

function ManageMenu({ device, onAct }: ManageProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const reason = may('devices:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'devices:manage' });
  return (
    <ButtonDropdown
      expandToViewport
      items={manageItems(device, t)}
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      onItemClick={({ detail }) => onAct(detail.id as Asked)}
    >
      {t('devices.header.manage')}
    </ButtonDropdown>
  );
}

function manageItems(
  { lifecycle, engine }: DeviceDetail,
  t: Translate,
): ButtonDropdownProps.Item[] {
  const retired = lifecycle === 'retired';
  const because = retired ? { disabled: true, disabledReason: t('devices.header.readOnly') } : {};
  const resumeFirst =
    lifecycle === 'suspended'
      ? { disabled: true, disabledReason: t('devices.reEnroll.resumeFirst') }
      : because;
  const enrolls =
    engine === 'agent'
      ? resumeFirst
      : { disabled: true, disabledReason: t('devices.reEnroll.managed') };
  return [
    { id: 'edit', text: t('devices.edit.title'), ...because },
    { id: 're-enroll', text: t('devices.reEnroll.action'), ...enrolls },
    lifecycle === 'suspended'
      ? { id: 'resume', text: t('devices.lifecycle.resume.action') }
      : { id: 'suspend', text: t('devices.lifecycle.suspend.action'), ...because },
    { id: 'retire', text: t('devices.lifecycle.retire.action'), ...because },
  ];
}
