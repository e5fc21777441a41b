import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useLanguage } from '../../../i18n/language-store.ts';
import { useT } from '../../../i18n/use-t.ts';
import { useViewer } from '../../../session/viewer-context.tsx';
import { wordOf } from '../../../ui/status-of.tsx';
import type { FieldValues } from '../form-model.ts';
import {
  componentSuggestions,
  versionSuggestions,
  type Suggestions,
} from './software-suggestions.ts';

/** Documents whose parameters `component` and `version` name software. */
const ofSoftware = new Set(['DevicePortal-software-install', 'DevicePortal-software-rollback']);

/** Known values of the parameters of a document that installs software; none of other documents. */
export function useSoftwareSuggestions(
  { documentName }: Pick<CommandForm, 'documentName'>,
  fields: FieldValues,
  device: DeviceDetail | undefined,
): Readonly<Record<string, Suggestions>> {
  const t = useT();
  const language = useLanguage();
  const api = useApi();
  const { may } = useViewer();
  const enabled = may('versions:read') && documentName !== null && ofSoftware.has(documentName);
  const component = String(fields['component'] ?? '').trim();
  const ofComponent = { enabled: enabled && component !== '', retry: false, staleTime: 60_000 };
  const components = useQuery(
    api.versions.listComponents.queryOptions(undefined, { enabled, staleTime: 60_000 }),
  ).data;
  const known = components?.some((one) => one.component === component) === true;
  const registered = useQuery(
    api.versions.list.queryOptions({ component: component || '-' }, ofComponent),
  ).data;
  const installed = useQuery(
    api.versions.listInstalled.queryOptions(
      { component: component || '-' },
      { ...ofComponent, enabled: ofComponent.enabled && known },
    ),
  ).data;
  const history = useQuery(
    api.versions.deviceHistory.queryOptions(
      { deviceId: device?.id ?? '' },
      { enabled: ofComponent.enabled && device !== undefined, staleTime: 60_000 },
    ),
  ).data;
  return useMemo(() => {
    if (!enabled) return {};
    const version = versionSuggestions(
      {
        ...{ device, component },
        registered: registered ?? [],
        installed: installed ?? [],
        history: history ?? [],
      },
      {
        earlier: t('commands.suggest.earlier'),
        registered: t('commands.suggest.registered'),
        reported: t('commands.suggest.reported'),
        describe: ({ state, artifact }, isInstalled) =>
          [
            wordOf('softwareVersion', state, language),
            isInstalled ? t('commands.suggest.installed') : '',
            artifact === null ? '' : t('commands.suggest.stored'),
          ]
            .filter(Boolean)
            .join(' · '),
      },
    );
    const labels = {
      onDevice: t('commands.suggest.onDevice'),
      others: t('commands.suggest.others'),
    };
    return {
      component: componentSuggestions({ device, components: components ?? [] }, labels),
      version,
    };
  }, [enabled, device, component, components, registered, installed, history, t, language]);
}
