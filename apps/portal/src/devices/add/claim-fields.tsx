import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { PersonPicker } from '../../people/person-picker.tsx';
import { CountrySelect } from '../country-select.tsx';
import { LabelsEditor } from '../labels-editor.tsx';
import type { ClaimDraft, ClaimProblems } from './claim-draft.ts';
import { LifetimeField } from './lifetime-field.tsx';

export interface ClaimFieldsProps {
  readonly draft: ClaimDraft;
  /** Errors of the server, by field. */
  readonly issues: ReadonlyMap<string, string>;
  readonly onChange: (part: Partial<ClaimDraft>) => void;
}

/** @param props.tried Whether the form was submitted. Problems are shown from then on. */
export function ClaimFields({
  draft,
  problems,
  tried,
  issues,
  onChange,
}: ClaimFieldsProps & {
  readonly problems: ClaimProblems;
  readonly tried: boolean;
}): ReactNode {
  const t = useT();
  return (
    <ColumnLayout columns={2}>
      <FormField
        label={t('devices.form.serialLabel')}
        description={t('devices.claim.serialHelp')}
        errorText={tried ? (problems.serialNumber ?? issues.get('device')) : undefined}
      >
        <Input
          value={draft.serialNumber}
          placeholder="SN10000037"
          onChange={({ detail }) => onChange({ serialNumber: detail.value })}
        />
      </FormField>
      <FormField
        label={t('devices.form.name')}
        description={t('devices.claim.nameHelp')}
        errorText={tried ? problems.name : undefined}
      >
        <Input value={draft.name} onChange={({ detail }) => onChange({ name: detail.value })} />
      </FormField>
      <FormField label={t('devices.claim.uses')} errorText={problems.uses ?? issues.get('uses')}>
        <Input
          type="number"
          inputMode="numeric"
          value={draft.uses}
          disabled={draft.name.trim() !== ''}
          onChange={({ detail }) => onChange({ uses: detail.value })}
        />
      </FormField>
      <LifetimeField
        hours={draft.lifetimeHours}
        onChange={(lifetimeHours) => onChange({ lifetimeHours })}
      />
    </ColumnLayout>
  );
}

/** Values for the devices that enroll: model, country, owner, and labels. */
export function ClaimDetails({ draft, issues, onChange }: ClaimFieldsProps): ReactNode {
  const t = useT();
  return (
    <ExpandableSection headerText={t('devices.claim.more')}>
      <SpaceBetween size="m">
        <ColumnLayout columns={2}>
          <FormField label={t('devices.form.model')} errorText={issues.get('model')}>
            <Input
              value={draft.model}
              onChange={({ detail }) => onChange({ model: detail.value })}
            />
          </FormField>
          <FormField label={t('devices.form.country')} errorText={issues.get('country')}>
            <CountrySelect value={draft.country} onChange={(country) => onChange({ country })} />
          </FormField>
          <FormField label={t('devices.form.owner')} errorText={issues.get('ownerId')}>
            <PersonPicker value={draft.owner} onChange={(owner) => onChange({ owner })} />
          </FormField>
        </ColumnLayout>
        <FormField label={t('devices.form.labels')} errorText={issues.get('labels')} stretch>
          <LabelsEditor entries={draft.labels} onChange={(labels) => onChange({ labels })} />
        </FormField>
      </SpaceBetween>
    </ExpandableSection>
  );
}
