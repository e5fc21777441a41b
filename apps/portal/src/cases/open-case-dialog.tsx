import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { personLabel } from '@deviceportal/contract/people';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker, type PickedPerson } from '../people/person-picker.tsx';
import { addFlash } from '../ui/flash-store.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { NewCasePlan, useNewCasePlan } from './assignment/new-case-plan.tsx';
import { useCaseActs } from './use-case-acts.ts';
import { useCaseDraft } from './use-case-draft.ts';

const TICKET_LIMIT = 100;
const ABOUT_LIMIT = 500;
const SHOWN_OPEN = 5;

export interface OpenCaseDialogProps {
  /** Null if the user chooses the person. */
  readonly person: PickedPerson | null;
  readonly onClose: () => void;
}

/** Opens a case: person, ticket, and subject. */
export function OpenCaseDialog({ person: given, onClose }: OpenCaseDialogProps): ReactNode {
  const t = useT();
  const { open, enter } = useCaseActs();
  const named = useNamedPerson(given);
  const [person, setPerson] = useState(given);
  const planning = useNewCasePlan();
  const draft = useCaseDraft(`open ${given?.id ?? ''}`);
  const [ticket, about] = [draft.textOf('ticket'), draft.textOf('about')];
  const close = (): void => {
    draft.forget();
    onClose();
  };
  const done = (found: CaseDetail): void => {
    close();
    sayOpened(
      t('cases.opened', { name: personLabel(found.person) }),
      t('cases.showThis'),
      found.id,
    );
  };
  return (
    <FormDialog
      title={
        named === null ? t('cases.open.title') : t('cases.open.for', { name: personLabel(named) })
      }
      submitLabel={t('cases.open.submit')}
      busy={open.isPending || enter.isPending}
      error={open.error ?? enter.error}
      fields={[]}
      disabled={person === null || planning.input === null}
      onSubmit={() => {
        if (person === null || planning.input === null) return;
        open.mutate({ personId: person.id, ticket, about, ...planning.input }, { onSuccess: done });
      }}
      onCancel={close}
    >
      {given === null ? (
        <FormField label={t('cases.person')} controlId="case-person" stretch>
          <PersonPicker required controlId="case-person" value={person} onChange={setPerson} />
        </FormField>
      ) : null}
      <OpenAlready
        personId={person?.id ?? null}
        busy={enter.isPending}
        onEnter={(id) => enter.mutate({ id }, { onSuccess: done })}
      />
      <FormField label={t('cases.about')} description={t('cases.aboutHint')} stretch>
        <Input
          value={about}
          onChange={({ detail }) => draft.setText('about', detail.value.slice(0, ABOUT_LIMIT))}
        />
      </FormField>
      <FormField label={t('cases.ticket')} description={t('cases.ticketHint')} stretch>
        <Input
          value={ticket}
          onChange={({ detail }) => draft.setText('ticket', detail.value.slice(0, TICKET_LIMIT))}
        />
      </FormField>
      <NewCasePlan personId={person?.id ?? null} planning={planning} />
    </FormDialog>
  );
}

/** With a second fact, which the device and the search do not have. */
function useNamedPerson(given: PickedPerson | null): PickedPerson | null {
  const api = useApi();
  const found = useQuery(
    api.people.get.queryOptions({ id: given?.id ?? '' }, { enabled: given !== null }),
  );
  return found.data ?? given;
}

function sayOpened(header: string, link: string, id: string): void {
  addFlash({
    id: 'case-opened',
    type: 'success',
    header,
    content: (
      <PortalLink href={`/cases/${id}`} color="inverted">
        {link}
      </PortalLink>
    ),
  });
}

interface OpenAlreadyProps {
  readonly personId: string | null;
  readonly busy: boolean;
  readonly onEnter: (id: string) => void;
}

/** Offers to join an open case of the same person instead of opening a second one. */
function OpenAlready({ personId, busy, onEnter }: OpenAlreadyProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const open = useQuery(
    api.cases.list.queryOptions(
      { personId, state: 'open', pageSize: SHOWN_OPEN },
      { enabled: personId !== null },
    ),
  ).data?.rows;
  if (personId === null || open === undefined) return null;
  return open.map((one) => (
    <Alert
      key={one.id}
      type="info"
      header={t('cases.openAlready', {
        by: one.openedBy,
        at: format.clock(Date.parse(one.openedAt)),
      })}
      action={
        <Button loading={busy} onClick={() => onEnter(one.id)}>
          {t('cases.enter')}
        </Button>
      }
    >
      {[one.ticket, one.about].filter(Boolean).join(' · ')}
    </Alert>
  ));
}
