import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { CheckInForecast } from '@deviceportal/contract/check-in-forecast';
import type { CaseDevice } from '@deviceportal/contract/cases';
import { CheckInForecastText, useCheckInForecasts } from '../devices/check-in-forecast-line.tsx';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';

/** The devices that were viewed or changed in the case. */
export function CaseDevices({ devices }: { readonly devices: readonly CaseDevice[] }): ReactNode {
  const t = useT();
  const forecasts = useCheckInForecasts(devices.map(({ id }) => id));
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${devices.length})`}>
          {t('cases.devices')}
        </Header>
      }
    >
      {devices.length === 0 ? (
        <Box color="text-body-secondary">{t('cases.noDevices')}</Box>
      ) : (
        <ul className="dp-case-devices">
          {devices.map(({ id, name, serialNumber, entries }) => (
            <li key={id}>
              <span>
                <PortalLink href={`/devices/${id}`}>{serialNumber ?? name}</PortalLink>{' '}
                {serialNumber === null ? '' : name}
                <CaseForecast forecast={forecasts.get(id)} />
              </span>
              <Box variant="small" color="text-body-secondary">
                {t('cases.entries', { count: entries })}
              </Box>
            </li>
          ))}
        </ul>
      )}
    </Container>
  );
}

function CaseForecast({ forecast }: { readonly forecast: CheckInForecast | undefined }): ReactNode {
  const t = useT();
  if (forecast === undefined) return null;
  return (
    <Box variant="span" display="block" fontSize="body-s" color="text-body-secondary">
      {t('cases.offline')} <CheckInForecastText forecast={forecast} />
    </Box>
  );
}
