import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { PlacedDevice } from '@deviceportal/contract/locations';
import { RunCommandMenu } from '../devices/run-command-menu.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { AddressSource } from './address-source.tsx';
import { accuracyWords } from './place-words.ts';
import type { PlaceGroup } from './place-groups.ts';

export interface PlacePopupProps {
  readonly group: PlaceGroup;
  readonly listHref: string;
}

const NAMED = 5;

/** The devices at a spot on the map, with links and actions. */
export function PlacePopup({ group, listHref }: PlacePopupProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { devices, count } = group;
  const named = devices.slice(0, NAMED);
  const more = count - named.length;
  return (
    <SpaceBetween size="xs">
      {named.map((device) => (
        <DeviceLine key={device.id} device={device} isOnly={count === 1} />
      ))}
      {more > 0 && named.length > 0 ? (
        <Box color="text-body-secondary">
          {t('locations.page.more', { count: more, shown: format.number(more) })}
        </Box>
      ) : null}
      {count > 1 ? (
        <PortalLink href={listHref}>
          {t('locations.page.listOf', { count, shown: format.number(count) })}
        </PortalLink>
      ) : null}
    </SpaceBetween>
  );
}

function DeviceLine({
  device,
  isOnly,
}: {
  readonly device: PlacedDevice;
  readonly isOnly: boolean;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <div>
      <PortalLink href={`/devices/${device.id}`} fontSize="heading-s">
        {device.serialNumber ?? device.name}
      </PortalLink>
      <div>
        <StatusOf kind="connectivity" value={device.connectivity} />
        <Box variant="span" color="text-body-secondary" fontSize="body-s">
          {' · '}
          {t('locations.page.lastSeen')} <Time at={device.lastSeenAt} />
        </Box>
      </div>
      {isOnly ? (
        <SpaceBetween size="xs">
          <Box color="text-body-secondary" fontSize="body-s">
            {accuracyWords(device, t, format)} · <Time at={device.at} />
            {device.source === 'address' ? <AddressSource /> : null}
          </Box>
          <RunCommandMenu targets={[device]} label={t('devices.command.run')} />
        </SpaceBetween>
      ) : null}
    </div>
  );
}
