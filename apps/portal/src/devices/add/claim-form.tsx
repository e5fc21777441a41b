import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { PersonPicker, type PickedPerson } from '../../people/person-picker.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { CountrySelect } from '../country-select.tsx';
import { fieldIssues, isOnlyFieldIssues } from '../../ui/field-issues.ts';
import { LabelsEditor } from '../labels-editor.tsx';
import { labelProblems, labelsOf, type LabelEntry } from '../labels-text.ts';
import { ClaimResult } from './claim-result.tsx';
import { LifetimeField } from './lifetime-field.tsx';

interface ClaimDraft {
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string;
  readonly owner: PickedPerson | null;
  readonly country: string | null;
  readonly labels: readonly LabelEntry[];
  readonly uses: string;
  readonly lifetimeHours: number;
}

const emptyDraft: ClaimDraft = {
  serialNumber: '',
  name: '',
  model: '',
  owner: null,
  country: null,
  labels: [],
  uses: '1',
  lifetimeHours: DEFAULT_CLAIM_LIFETIME_HOURS,
};

const FIELDS = ['device', 'model', 'ownerId', 'country', 'labels', 'uses', 'lifetimeHours'];

/** One device with a name on record now, or a claim for several whose names come with their first connection. */
export function ClaimForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [tried, setTried] = useState(false);
  const create = useMutation(
    api.devices.createClaim.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.devices.pathFilter()),
    }),
  );
  const set = (part: Partial<ClaimDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const uses = Number(draft.uses);
  const problems = {
    name:
      draft.serialNumber !== '' && draft.name.trim() === ''
        ? t('devices.form.required')
        : undefined,
    serialNumber:
      draft.serialNumber === '' || /^[A-Z0-9][A-Z0-9_-]{3,63}$/i.test(draft.serialNumber.trim())
        ? undefined
        : t('devices.form.serialNumber'),
    uses:
      Number.isInteger(uses) && uses >= 1 && uses <= 100_000 ? undefined : t('devices.form.uses'),
  };
  const valid =
    Object.values(problems).every((problem) => problem === undefined) &&
    labelProblems(draft.labels).every((problem) => problem === null);
  const issues = fieldIssues(create.error, t);
  if (create.data !== undefined) {
    return (
      <ClaimResult
        claim={create.data}
        onClose={onClose}
        onAnother={() => {
          create.reset();
          setTried(false);
          setDraft({ ...draft, serialNumber: '', name: '' });
        }}
      />
    );
  }
  const submit = (): void => {
    setTried(true);
    if (valid && !create.isPending) create.mutate(toInput(draft));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <SpaceBetween size="m">
        <ColumnLayout columns={2}>
          <FormField
            label={t('devices.form.serialLabel')}
            description={t('devices.claim.serialHelp')}
            errorText={tried ? (problems.serialNumber ?? issues.get('device')) : undefined}
          >
            <Input
              value={draft.serialNumber}
              placeholder="SN10000037"
              onChange={({ detail }) => set({ serialNumber: detail.value })}
            />
          </FormField>
          <FormField
            label={t('devices.form.name')}
            description={t('devices.claim.nameHelp')}
            errorText={tried ? problems.name : undefined}
          >
            <Input value={draft.name} onChange={({ detail }) => set({ name: detail.value })} />
          </FormField>
          <FormField
            label={t('devices.claim.uses')}
            errorText={problems.uses ?? issues.get('uses')}
          >
            <Input
              type="number"
              inputMode="numeric"
              value={draft.uses}
              disabled={draft.name.trim() !== ''}
              onChange={({ detail }) => set({ uses: detail.value })}
            />
          </FormField>
          <LifetimeField
            hours={draft.lifetimeHours}
            onChange={(lifetimeHours) => set({ lifetimeHours })}
          />
        </ColumnLayout>
        <ExpandableSection headerText={t('devices.claim.more')}>
          <SpaceBetween size="m">
            <ColumnLayout columns={2}>
              <FormField label={t('devices.form.model')} errorText={issues.get('model')}>
                <Input
                  value={draft.model}
                  onChange={({ detail }) => set({ model: detail.value })}
                />
              </FormField>
              <FormField label={t('devices.form.country')} errorText={issues.get('country')}>
                <CountrySelect value={draft.country} onChange={(country) => set({ country })} />
              </FormField>
              <FormField label={t('devices.form.owner')} errorText={issues.get('ownerId')}>
                <PersonPicker value={draft.owner} onChange={(owner) => set({ owner })} />
              </FormField>
            </ColumnLayout>
            <FormField label={t('devices.form.labels')} errorText={issues.get('labels')} stretch>
              <LabelsEditor entries={draft.labels} onChange={(labels) => set({ labels })} />
            </FormField>
          </SpaceBetween>
        </ExpandableSection>
        {create.error === null || isOnlyFieldIssues(create.error, FIELDS) ? null : (
          <ErrorView error={create.error} place="alert" />
        )}
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onClose}>
              {t('app.cancel')}
            </Button>
            <Button variant="primary" loading={create.isPending}>
              {t('devices.claim.create')}
            </Button>
          </SpaceBetween>
        </Box>
      </SpaceBetween>
    </form>
  );
}

function toInput(draft: ClaimDraft) {
  const name = draft.name.trim();
  const serialNumber = draft.serialNumber.trim().toUpperCase();
  return {
    model: draft.model.trim() || null,
    ownerId: draft.owner?.id ?? null,
    country: draft.country,
    labels: labelsOf(draft.labels),
    uses: name === '' ? Number(draft.uses) : 1,
    lifetimeHours: draft.lifetimeHours,
    device: name === '' ? null : { name, serialNumber: serialNumber === '' ? null : serialNumber },
  };
}
