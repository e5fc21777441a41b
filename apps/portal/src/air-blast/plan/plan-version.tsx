import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { wordOf } from '../../ui/status-of.tsx';
import { useLanguage } from '../../i18n/language-store.ts';
import { SuggestField } from './suggest-field.tsx';
import type { Plan } from './use-plan.ts';

const KEPT_MS = 60_000;

/** The component and version. Known values are suggested, others can be typed. */
export function PlanVersion({ plan }: { readonly plan: Plan }): ReactNode {
  const t = useT();
  const api = useApi();
  const { fields } = plan;
  const component = fields.component.trim();
  const versions = useQuery(
    api.versions.list.queryOptions(
      { component },
      { enabled: component !== '', staleTime: KEPT_MS },
    ),
  );
  const row = versions.data?.find(({ version }) => version === fields.version.trim());
  const isUnknown = versions.isSuccess && row === undefined && fields.version.trim() !== '';
  return (
    <SpaceBetween size="s">
      <ColumnLayout columns={2}>
        <FormField label={t('airBlast.component')} {...issueOf(plan, 'component', t)} stretch>
          <ComponentInput plan={plan} />
        </FormField>
        <FormField
          label={t('airBlast.version')}
          {...issueOf(plan, 'version', t)}
          {...(isUnknown ? { warningText: t('airBlast.versionUnknown') } : {})}
          stretch
        >
          <VersionInput plan={plan} rows={versions.data ?? []} />
        </FormField>
      </ColumnLayout>
      <Known row={row} />
      <FileFields plan={plan} />
    </SpaceBetween>
  );
}

/** The missing input, or the error of the server for the unchanged text. */
function issueOf(
  { fields, pressed, refused }: Plan,
  name: 'component' | 'version',
  t: Translate,
): { errorText?: string } {
  if (pressed > 0 && fields[name].trim() === '') {
    return { errorText: t('airBlast.issue.required') };
  }
  const errorText = refused(name, t);
  return errorText === undefined ? {} : { errorText };
}

function ComponentInput({ plan }: { readonly plan: Plan }): ReactNode {
  const t = useT();
  const api = useApi();
  const { fields, change } = plan;
  const components = useQuery(
    api.versions.listComponents.queryOptions(undefined, { staleTime: KEPT_MS }),
  );
  return (
    <SuggestField
      value={fields.component}
      label={t('airBlast.component')}
      empty={t('airBlast.noComponent')}
      options={(components.data ?? []).map((one) => ({
        value: one.component,
        description: t('airBlast.onDevices', { devices: one.devices }),
      }))}
      onChange={(component) => change({ component: component.slice(0, 128) })}
    />
  );
}

function VersionInput({
  plan,
  rows,
}: {
  readonly plan: Plan;
  readonly rows: readonly SoftwareVersionRow[];
}): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { fields, change } = plan;
  return (
    <SuggestField
      value={fields.version}
      label={t('airBlast.version')}
      empty={t('airBlast.noVersion')}
      typedLabel={(text) => t('commands.target.searchFor', { text })}
      options={rows.map((row) => ({
        value: row.version,
        labelTag: wordOf('softwareVersion', row.state, language),
        description: t('airBlast.onDevices', { devices: row.devices }),
        disabled: row.state !== 'approved',
      }))}
      onChange={(version) => change({ version: version.slice(0, 64) })}
    />
  );
}

function Known({ row }: { readonly row: SoftwareVersionRow | undefined }): ReactNode {
  const t = useT();
  const format = useFormat();
  if (row === undefined) return null;
  const { artifact, notes, models } = row;
  const facts = [
    models.length === 0 ? '' : t('airBlast.forModels', { models: format.list([...models]) }),
    artifact === null ? '' : `${artifact.name} (${format.bytes(artifact.bytes)})`,
    notes,
  ].filter((fact) => fact !== '');
  return <Box color="text-body-secondary">{facts.join(' · ')}</Box>;
}

function FileFields({ plan }: { readonly plan: Plan }): ReactNode {
  const t = useT();
  const { fields, change, issues, pressed } = plan;
  return (
    <ExpandableSection headerText={t('airBlast.file')} defaultExpanded={fields.source !== ''}>
      <ColumnLayout columns={2}>
        <FormField label={t('airBlast.source')} description={t('airBlast.sourceHint')} stretch>
          <Input
            value={fields.source}
            inputMode="url"
            spellcheck={false}
            onChange={({ detail }) => change({ source: detail.value.slice(0, 1_024) })}
          />
        </FormField>
        <FormField
          label="SHA-256"
          description={t('airBlast.sha256Hint')}
          errorText={pressed > 0 && issues.sha256 ? t('airBlast.issue.sha256') : undefined}
          stretch
        >
          <Input
            value={fields.sha256}
            spellcheck={false}
            onChange={({ detail }) => change({ sha256: detail.value })}
          />
        </FormField>
      </ColumnLayout>
    </ExpandableSection>
  );
}
