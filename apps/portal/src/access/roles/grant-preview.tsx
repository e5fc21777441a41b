import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode } from 'react';
import type { GrantPreview as Preview } from '@deviceportal/contract/access';
import { holds, type Grant } from '@deviceportal/contract/permissions';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { visibleGroups } from '../../ui/navigation.ts';
import { PortalLink } from '../../ui/portal-link.tsx';

/**
 * Previews the devices and commands that a grant allows, evaluated by the server with the rules
 * that authorize requests.
 */
export function GrantPreview({ grant }: { readonly grant: Grant }): ReactNode {
  const t = useT();
  const api = useApi();
  const asked = useDeferredValue(grant);
  const query = useQuery(
    api.access.roles.preview.queryOptions(
      {
        permissions: [...asked.permissions],
        scope: {
          countries: [...asked.scope.countries],
          models: [...asked.scope.models],
          labels: asked.scope.labels,
        },
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const places = visibleGroups((permission) => holds([asked], permission)).flatMap(
    (group) => group.places,
  );
  return (
    <Container
      header={
        <Header variant="h2" description={t('access.preview.description')}>
          {t('access.preview.title')}
        </Header>
      }
    >
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : (
        <KeyValue
          columns={3}
          items={[
            {
              label: t('access.preview.areas'),
              value: places.map(({ key }) => t(key)).join(' · '),
            },
            {
              label: t('access.preview.devices'),
              value: query.data && <Devices preview={query.data} />,
            },
            {
              label: t('access.preview.commands'),
              value: query.data && <Commands preview={query.data} />,
            },
          ]}
        />
      )}
    </Container>
  );
}

function Devices({ preview: { devices, sample } }: { readonly preview: Preview }): ReactNode {
  const t = useT();
  const format = useFormat();
  if (devices === null) return t('access.preview.beyond');
  const count = `${format.number(devices.count)}${devices.exact ? '' : '+'}`;
  return (
    <SpaceBetween size="xxs">
      <Box variant="strong">{t('access.preview.deviceCount', { count })}</Box>
      {sample.map(({ id, name, serialNumber, country }) => (
        <div key={id}>
          <PortalLink href={`/devices/${id}`}>{serialNumber ?? name}</PortalLink>
          {country === null ? '' : ` · ${format.country(country)}`}
        </div>
      ))}
    </SpaceBetween>
  );
}

function Commands({ preview: { commands } }: { readonly preview: Preview }): ReactNode {
  const t = useT();
  const allowed = commands.filter((command) => command.allowed);
  return (
    <SpaceBetween size="xxs">
      <Box variant="strong">
        {t('access.preview.commandCount', { count: allowed.length, of: commands.length })}
      </Box>
      <div>{allowed.map(({ command }) => command).join(', ')}</div>
    </SpaceBetween>
  );
}
