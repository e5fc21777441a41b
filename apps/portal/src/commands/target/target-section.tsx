import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import type { ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { DeviceStatus, LastSeen } from '../../devices/device-status.tsx';
import { WhyPanel } from '../../explanations/why-panel.tsx';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { ChangedTargetAlert } from './changed-target-alert.tsx';
import { changedTargetOf } from './changed-target.ts';
import { DevicePicker } from './device-picker.tsx';
import { SerialNumbersPicker } from './serial-numbers-picker.tsx';
import { ShownDevices } from './shown-devices.tsx';
import type { Target } from './use-target.ts';

export interface TargetSectionProps {
  readonly target: Target;
  readonly command: string;
  /** `name` or `name:version`. Empty for the document of the command. */
  readonly document: string;
  /** The error of the last run, if it concerns the devices. */
  readonly error: unknown;
  readonly asked: number;
  /** Reloads the devices after they have changed. */
  readonly onReload: () => void;
  readonly onDevice: (reference: string) => void;
  readonly onTargetList: (id: string) => void;
  readonly onClear: () => void;
}

/** Errors that are shown next to the devices instead of at the end of the form. */
export const targetErrors: ReadonlySet<string> = new Set([
  'commandHasNoDevice',
  'commandHasNoSerialNumber',
  'deviceNotFound',
  'deviceInstanceNotFound',
]);

/** The target: a device with live status, a set of devices with its exclusions, or the pickers. */
export function TargetSection(props: TargetSectionProps): ReactNode {
  const { target, onClear } = props;
  const t = useT();
  return (
    <Container
      header={
        <Header
          variant="h2"
          {...(target.kind === 'none'
            ? {}
            : { actions: <Button onClick={onClear}>{t('commands.target.change')}</Button> })}
        >
          {t('commands.target.title')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Refusal {...props} />
        {target.kind === 'none' ? (
          <SpaceBetween size="m">
            <DevicePicker onPick={props.onDevice} asked={props.asked} />
            <SerialNumbersPicker onPick={props.onTargetList} />
          </SpaceBetween>
        ) : null}
        {target.kind === 'one' ? <OneDevice {...props} target={target} /> : null}
        {target.kind === 'many' ? <ManyDevices target={target} /> : null}
      </SpaceBetween>
    </Container>
  );
}

function Refusal({ error, target, onReload }: TargetSectionProps): ReactNode {
  if (error === null || error === undefined) return null;
  const changed = changedTargetOf(error);
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={onReload} />;
  const { name } = portalErrorOf(error);
  if (!targetErrors.has(name)) return null;
  // The error is outdated, because a device was chosen since.
  if (name === 'commandHasNoDevice' && target.kind === 'one') return null;
  return <ErrorView error={error} place="alert" />;
}

function OneDevice(
  props: TargetSectionProps & { readonly target: Extract<Target, { kind: 'one' }> },
): ReactNode {
  const t = useT();
  const { device, reference } = props.target;
  if (device.isError) {
    return (
      <ErrorView
        error={device.error}
        place="alert"
        subject={{ kind: t('commands.target.device'), id: reference }}
        onRetry={() => void device.refetch()}
      />
    );
  }
  if (device.data === undefined) return <Spinner />;
  return (
    <SpaceBetween size="s">
      <DeviceChip device={device.data} />
      <DeviceDisabledReason {...props} device={device.data} />
    </SpaceBetween>
  );
}

function DeviceChip({ device }: { readonly device: DeviceDetail }): ReactNode {
  const t = useT();
  return (
    <div className="dp-command-chip">
      <PortalLink href={`/devices/${device.id}`} fontSize="heading-s">
        {device.serialNumber ?? device.name}
      </PortalLink>
      {device.serialNumber === null ? null : <span>{device.name}</span>}
      {device.model === null ? null : (
        <Box variant="span" color="text-body-secondary">
          {device.model}
        </Box>
      )}
      <DeviceStatus device={device} />
      <Box variant="span" color="text-body-secondary">
        {t('commands.target.seen')} <LastSeen device={device} />
      </Box>
    </div>
  );
}

/** The reason for which the server would reject the command, stated before it is sent. */
function DeviceDisabledReason({
  device,
  command,
  document,
  error,
}: TargetSectionProps & { readonly device: DeviceDetail }): ReactNode {
  const refused = error === null || error === undefined ? '' : portalErrorOf(error).name;
  // The error above states the same reason.
  if (targetErrors.has(refused)) return null;
  return (
    <WhyPanel
      type="warning"
      of={{ kind: 'command-target', command, document, deviceId: device.id }}
      revision={`${device.lifecycle} ${device.instanceId ?? ''} ${device.serialNumber ?? ''}`}
    />
  );
}

/** The number of devices in a set, unknown serial numbers, and exclusions. */
export function ManyDevices({
  target,
}: {
  readonly target: Extract<Target, { kind: 'many' }>;
}): ReactNode {
  const { preview } = target;
  if (preview.isError) {
    return <ErrorView error={preview.error} place="alert" onRetry={() => void preview.refetch()} />;
  }
  if (preview.data === undefined) return <Spinner />;
  return <ShownDevices preview={preview.data} listId={target.filter.targetListId} />;
}
