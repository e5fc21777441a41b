import Checkbox from '@cloudscape-design/components/checkbox';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { personLabel } from '@deviceportal/contract/people';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import {
  ACCESS_GRANT_DEFAULT_MINUTES,
  type AccessGrantOffer,
} from '@deviceportal/contract/access-grants';
import { useApi } from '../../api/use-api.ts';
import { useActiveCase } from '../../cases/use-active-case.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { labelEntries } from '../../devices/labels-text.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { permissionWords } from '../roles/permission-words.ts';
import { emptyRole, scopeOf, type RoleDraft } from '../roles/role-draft.ts';
import { roleAbout, roleName } from '../roles/role-words.ts';
import { ScopeFields } from '../roles/scope-fields.tsx';
import { useAccessGrantsChanged } from './use-access-grants-changed.ts';

const LENGTHS = [15, 30, 60, 120, 240, 480] as const;
const MINUTE_MS = 60_000;

/** Requests temporary access: role, scope, duration and reason. Another user decides. */
export function RequestAccessGrantDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const changed = useAccessGrantsChanged();
  const offers = useOffers();
  const active = useActiveCase();
  const [role, setRole] = useState<AccessGrantOffer>();
  const [place, setPlace] = useState<RoleDraft>(emptyRole);
  const [minutes, setMinutes] = useState<number>(ACCESS_GRANT_DEFAULT_MINUTES);
  const [reason, setReason] = useState('');
  const [inCase, setInCase] = useState(true);
  const ask = useMutation(
    api.access.accessGrants.ask.mutationOptions({
      onSuccess: () => {
        flash.add({ type: 'success', content: t('access.accessGrant.askedDone') });
        onClose();
      },
      onSettled: changed,
    }),
  );
  const issues = fieldIssues(ask.error, t);
  const submit = (): void => {
    if (role === undefined) return;
    const { countries, models, labels } = scopeOf(place);
    ask.mutate({
      roleId: role.id,
      scope: { countries: [...countries], models: [...models], labels: { ...labels } },
      reason,
      minutes,
      caseId: inCase ? (active?.id ?? null) : null,
    });
  };
  return (
    <FormDialog
      title={t('access.accessGrant.ask')}
      submitLabel={t('access.accessGrant.send')}
      size="large"
      busy={ask.isPending}
      error={ask.error}
      fields={['roleId', 'scope', 'reason']}
      disabled={role === undefined || reason.trim().length < 3}
      onSubmit={submit}
      onCancel={onClose}
    >
      <RoleField
        offers={offers}
        role={role}
        problem={issues.get('roleId')}
        onChange={(chosen) => {
          setRole(chosen);
          const { countries, models, labels } = chosen.scope;
          setPlace({ ...emptyRole, countries, models, labels: labelEntries(labels) });
        }}
      />
      <Length minutes={minutes} onChange={setMinutes} />
      <ReasonField reason={reason} problem={issues.get('reason')} onChange={setReason} />
      {active ? (
        <Checkbox checked={inCase} onChange={({ detail }) => setInCase(detail.checked)}>
          {t('access.accessGrant.inCase', { name: personLabel(active.person) })}
        </Checkbox>
      ) : null}
      <ExpandableSection
        headerText={t('access.accessGrant.scope')}
        headerDescription={issues.get('scope') ?? t('access.accessGrant.scopeHint')}
      >
        <ScopeFields draft={place} onChange={(part) => setPlace((old) => ({ ...old, ...part }))} />
      </ExpandableSection>
    </FormDialog>
  );
}

/** Roles that grant a permission which the viewer does not have. */
function useOffers(): readonly AccessGrantOffer[] {
  const api = useApi();
  const { detail } = useViewer();
  const offers = useQuery(api.access.accessGrants.offers.queryOptions()).data ?? [];
  return offers.filter((offer) => permissionsBeyond(detail.grants, offer).length > 0);
}

function RoleField({
  offers,
  role,
  problem,
  onChange,
}: {
  readonly offers: readonly AccessGrantOffer[];
  readonly role: AccessGrantOffer | undefined;
  readonly problem: string | undefined;
  readonly onChange: (role: AccessGrantOffer) => void;
}): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  const options = offers.map((offer) => ({
    value: offer.id,
    label: roleName(offer.name, t),
    description: roleAbout(offer, t),
  }));
  const gained = role === undefined ? [] : permissionsBeyond(detail.grants, role);
  return (
    <FormField
      label={t('access.column.role')}
      errorText={problem}
      description={
        role === undefined
          ? ''
          : t('access.accessGrant.gains', {
              list: gained.map((permission) => permissionWords(permission, t)).join(' · '),
            })
      }
      stretch
    >
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === role?.id) ?? null}
        placeholder={t('access.accessGrant.choose')}
        empty={t('access.accessGrant.holdsAll')}
        onChange={({ detail: { selectedOption } }) => {
          const chosen = offers.find(({ id }) => id === selectedOption.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      />
    </FormField>
  );
}

function Length({
  minutes,
  onChange,
}: {
  readonly minutes: number;
  readonly onChange: (minutes: number) => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const options = LENGTHS.map((length) => ({
    value: String(length),
    label: format.duration(length * MINUTE_MS),
  }));
  return (
    <FormField label={t('access.accessGrant.length')}>
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === String(minutes)) ?? null}
        onChange={({ detail: { selectedOption } }) => onChange(Number(selectedOption.value))}
      />
    </FormField>
  );
}

function ReasonField({
  reason,
  problem,
  onChange,
}: {
  readonly reason: string;
  readonly problem: string | undefined;
  readonly onChange: (reason: string) => void;
}): ReactNode {
  const t = useT();
  return (
    <FormField
      label={t('access.accessGrant.reason')}
      constraintText={t('access.accessGrant.reasonHint')}
      errorText={problem}
      stretch
    >
      <Textarea
        rows={2}
        value={reason}
        onChange={({ detail }) => onChange(detail.value.slice(0, 500))}
      />
    </FormField>
  );
}
