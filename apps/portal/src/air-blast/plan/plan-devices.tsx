import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { ManyDevices } from '../../commands/target/target-section.tsx';
import { useApi } from '../../api/use-api.ts';
import { decodeDeviceFilter } from '../../devices/list/filter/device-filter.ts';
import { parseSerialNumbers } from '../../devices/list/parse-serial-numbers.ts';
import { SavedViewSelect } from '../../devices/list/views/saved-view-select.tsx';
import { searchOfView } from '../../devices/list/views/saved-views.ts';
import { TargetListFields } from '../../devices/list/target-list-fields.tsx';
import { useDeviceFilterProperties } from '../../devices/list/filter/use-device-filter-properties.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { encodeFilter } from '../../ui/filter-codec.ts';
import { PropertyFilterBar } from '../../ui/property-filter-bar.tsx';
import { targetOf, type DeviceChoice } from './plan-fields.ts';
import type { Plan } from './use-plan.ts';

const VIEWS_KEPT_MS = 300_000;
const modes = ['filter', 'list', 'chosen', 'all'] as const;

export interface PlanDevicesProps {
  readonly plan: Plan;
  readonly preview: UseQueryResult<TargetPreview, unknown>;
}

/** The devices: a filter or saved view, serial numbers, devices selected earlier, or all. */
export function PlanDevices({ plan, preview }: PlanDevicesProps): ReactNode {
  const t = useT();
  const { fields, change, issues, pressed } = plan;
  const { devices } = fields;
  const choose = (part: Partial<DeviceChoice>): void =>
    change({ devices: { ...devices, ...part } });
  const offered = modes.filter((mode) => mode !== 'chosen' || devices.ids.length > 0);
  return (
    <Container header={<Header variant="h2">{t('airBlast.devices')}</Header>}>
      <SpaceBetween size="m">
        <FormField
          label={t('airBlast.which')}
          errorText={pressed > 0 && issues.devices ? t('airBlast.issue.devices') : undefined}
          stretch
        >
          <RadioGroup
            value={devices.mode}
            items={offered.map((mode) => ({
              value: mode,
              label: t(`airBlast.mode.${mode}`, { count: devices.ids.length }),
            }))}
            onChange={({ detail }) => choose({ mode: detail.value as DeviceChoice['mode'] })}
          />
        </FormField>
        {devices.mode === 'filter' ? <FilterChoice devices={devices} choose={choose} /> : null}
        {devices.mode === 'list' ? <ListChoice plan={plan} choose={choose} /> : null}
        <Reached plan={plan} preview={preview} />
      </SpaceBetween>
    </Container>
  );
}

interface ChoiceProps {
  readonly devices: DeviceChoice;
  readonly choose: (part: Partial<DeviceChoice>) => void;
}

function FilterChoice({ devices, choose }: ChoiceProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { q, op, targets, view } = devices;
  const { query } = useMemo(() => decodeDeviceFilter({ q, op, targets }), [q, op, targets]);
  const properties = useDeviceFilterProperties(query);
  const views = useQuery(
    api.devices.listViews.queryOptions({ screen: 'devices' }, { staleTime: VIEWS_KEPT_MS }),
  );
  return (
    <PropertyFilterBar
      properties={properties}
      query={query}
      placeholder={t('devices.filter.placeholder')}
      onChange={({ tokens, operation }) =>
        choose({ q: encodeFilter({ tokens, operation }), op: operation })
      }
      customControl={
        <SavedViewSelect
          views={views.data ?? []}
          current={views.data?.find(({ id }) => id === view)}
          search={{ q, op, sort: '', targets }}
          loading={views.isLoading}
          onChoose={(chosen) => {
            if (chosen === null) return choose({ view: '', q: '', op: 'and', targets: '' });
            const search = searchOfView(chosen);
            choose({
              view: chosen.id,
              q: search.q,
              op: search.op === 'or' ? 'or' : 'and',
              targets: search.targets,
            });
          }}
        />
      }
    />
  );
}

function ListChoice({
  plan,
  choose,
}: {
  readonly plan: Plan;
  readonly choose: ChoiceProps['choose'];
}): ReactNode {
  const t = useT();
  const { devices } = plan.fields;
  const deferred = useDeferredValue(devices.text);
  const parsed = useMemo(() => parseSerialNumbers(deferred), [deferred]);
  if (devices.list !== '') {
    return (
      <Button formAction="none" onClick={() => choose({ list: '' })}>
        {t('airBlast.otherDevices')}
      </Button>
    );
  }
  const count = parsed.serialNumbers.length;
  return (
    <SpaceBetween size="s">
      <TargetListFields
        text={devices.text}
        parsed={parsed}
        rows={4}
        problem={parsed.overLimit ? t('devices.targets.overLimit') : undefined}
        onText={(text) => choose({ text })}
      />
      {plan.keepError === null ? null : <ErrorView error={plan.keepError} place="alert" />}
      <Button
        formAction="none"
        loading={plan.isKeeping}
        disabled={count === 0 || parsed.overLimit}
        onClick={() => plan.keepList(devices.text)}
      >
        {t('airBlast.look', { count })}
      </Button>
    </SpaceBetween>
  );
}

/** The devices that match at present. The target set is fixed when the plan is created. */
function Reached({ plan, preview }: PlanDevicesProps): ReactNode {
  const t = useT();
  const target = targetOf(plan.fields.devices);
  if (target === null) return null;
  if (plan.form.data === undefined) {
    return <Box color="text-body-secondary">{t('airBlast.changeFirst')}</Box>;
  }
  const filter = { text: '', tokens: [], operation: 'and' as const, targetListId: null };
  return (
    <ManyDevices
      target={{
        kind: 'many',
        preview,
        filter: target.kind === 'filter' ? target.filter : filter,
      }}
    />
  );
}
